# Sourced by the scripts beside it: tools from Go's and Python's registries, pinned, installed into
# node_modules/.cache/tools once. Each says aloud when the machine lacks what installs it.
tools="$PWD/node_modules/.cache/tools"

# go_tool NAME MODULE@VERSION: puts NAME there, or fails when there is no Go.
go_tool() {
  local name="$1" module="$2" stamp="$tools/$1.version"
  command -v go > /dev/null || return 1
  if [ "$(cat "$stamp" 2> /dev/null)" != "$module" ]; then
    mkdir -p "$tools"
    GOBIN="$tools" go install "$module" > "$tools/$name.log" 2>&1 || { cat "$tools/$name.log"; exit 1; }
    echo "$module" > "$stamp"
  fi
}

# python_tool NAME PACKAGE==VERSION: the same with a virtual environment.
python_tool() {
  local name="$1" package="$2" stamp="$tools/$1.version"
  command -v python3 > /dev/null || return 1
  if [ "$(cat "$stamp" 2> /dev/null)" != "$package" ]; then
    mkdir -p "$tools"
    python3 -m venv "$tools/python" > "$tools/$name.log" 2>&1 || return 1
    "$tools/python/bin/pip" install --quiet --disable-pip-version-check "$package" > "$tools/$name.log" 2>&1 ||
      { cat "$tools/$name.log"; exit 1; }
    ln -sf "$tools/python/bin/$name" "$tools/$name"
    echo "$package" > "$stamp"
  fi
}
