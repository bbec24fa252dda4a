# Sourced by the commands beside it. GitHub's state is in files of the folder $GITHUB_STATE: `calls`,
# and what somebody else does after a call. A call that matches $FAILS fails and does nothing. One
# that matches $LOST does what it should, and its answer is lost.
matches() { [[ -n "$2" && "$1" =~ $2 ]]; }

begin() {
  echo "$1" >> "$GITHUB_STATE/calls"
  if matches "$1" "$FAILS"; then refuse 'HTTP 502: Bad Gateway'; fi
}

# Whether its answer arrives
end() {
  if matches "$1" "$MEANWHILE_AFTER"; then bash -c "$MEANWHILE"; fi
  ! matches "$1" "$LOST"
}

refuse() {
  echo "$1" >&2
  exit 1
}
