# Sourced by the scripts beside it: tools from Go's and Python's registries, pinned, installed into
# node_modules/.cache/tools once. Where a machine lacks what installs a tool the function fails, and
# its caller says so.
tools="$PWD/node_modules/.cache/tools"

# go_tool NAME MODULE@VERSION
go_tool() {
  command -v go > /dev/null || return 1
  install_once "$1" "$2" env GOBIN="$tools" go install "$2"
}

# python_tool NAME PACKAGE==VERSION
python_tool() {
  python3 -c 'import ensurepip, venv' 2> /dev/null || return 1
  install_once "$1" "$2" install_python_tool "$1" "$2"
}

install_python_tool() {
  python3 -m venv "$tools/python" &&
    "$tools/python/bin/pip" install --quiet --disable-pip-version-check "$2" &&
    ln -sf "$tools/python/bin/$1" "$tools/$1"
}

# install_once NAME SPEC COMMAND...: runs the command unless that very SPEC was installed before.
install_once() {
  local name="$1" spec="$2" stamp="$tools/$1.version"
  shift 2
  if [ "$(cat "$stamp" 2> /dev/null)" != "$spec" ]; then
    mkdir -p "$tools"
    "$@" > "$tools/$name.log" 2>&1 || { cat "$tools/$name.log"; exit 1; }
    echo "$spec" > "$stamp"
  fi
}
