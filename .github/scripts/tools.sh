# Sourced by the scripts beside it: tools from Go's and Python's registries, installed once into
# .work/tools. tools/go.mod and go.sum, and tools/requirements.txt pin them by hash. If this machine
# cannot install a tool, the function fails and the caller prints the reason.
tools="$PWD/.work/tools"
pins="$PWD/.github/scripts/tools"

# go_tool NAME PACKAGE
go_tool() {
  command -v go > /dev/null || return 1
  install_once "$1" "$pins/go.sum" install_go_tool "$1" "$2"
}

install_go_tool() {
  # The caller's GOFLAGS could turn off the checks. `readonly` refuses modules that go.sum does not
  # name.
  (cd "$pins" && GOFLAGS=-mod=readonly GOWORK=off go build -buildvcs=false -o "$tools/$1" "$2")
}

# python_tool NAME
python_tool() {
  python3 -c 'import ensurepip, venv' 2> /dev/null || return 1
  install_once "$1" "$pins/requirements.txt" install_python_tool "$1"
}

install_python_tool() {
  python3 -m venv --clear "$tools/python" &&
    "$tools/python/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
      --require-hashes --requirement "$pins/requirements.txt" &&
    ln -sf "$tools/python/bin/$1" "$tools/$1"
}

# install_once NAME PINS COMMAND...: runs the command, unless that was done before with the same
# pins.
install_once() {
  local name="$1" pinned="$2" stamp="$tools/$1.pins"
  shift 2
  if ! cmp -s "$pinned" "$stamp"; then
    mkdir -p "$tools"
    "$@" > "$tools/$name.log" 2>&1 || { cat "$tools/$name.log"; exit 1; }
    cp "$pinned" "$stamp"
  fi
}
