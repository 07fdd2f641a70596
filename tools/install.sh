#!/bin/sh
# Makes a virtual environment and installs this checkout into it, editable.
#
#   tools/install.sh .venv server          # what it takes to play
#   tools/install.sh .venv dev             # and to test
#
# PYTHON names the Python to use; else the first of 3.11 or later that is found. uv is used where
# it is there. Nothing half-made is left behind: a folder that does not work is made anew.
set -eu
venv=$1 extra=$2
uv=$(command -v uv || true)

is_new_enough() { # is a program Python 3.11 or later?
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if is_new_enough "$name"; then
      command -v "$name"
      return
    fi
  done
}

refuse() {
  echo "Quartermaster needs Python 3.11 or later; $1" >&2
  echo "Install one, or name it: make play PYTHON=/path/to/python3.12" >&2
  exit 1
}

python=${PYTHON:-}
if [ -z "$python" ]; then
  python=$(find_python)
  if [ -z "$python" ] && [ -z "$uv" ]; then
    refuse "found only $(python3 --version 2>/dev/null || echo none)."
  fi
elif ! is_new_enough "$python"; then
  refuse "$python is $("$python" --version 2>/dev/null || echo not there)."
fi

# An environment without pip is half-made, unless uv is there, which makes them so.
works="import pip"
[ -z "$uv" ] || works="pass"
if [ -e "$venv" ] && { ! is_new_enough "$venv/bin/python" || ! "$venv/bin/python" -c "$works" 2>/dev/null; }; then
  echo "$venv does not work; it is made anew."
  rm -rf "$venv"
fi

made=
clean_up() {
  if [ -n "$made" ]; then
    rm -rf "$venv"
    echo "That failed; $venv is removed again." >&2
  fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

tool="pip, about two minutes" && [ -z "$uv" ] || tool="uv, half a minute at most"
what="the server and what it needs (some 30 packages)"
[ "$extra" = server ] || what="the server and the tools for tests (some 120 packages)"
echo "Installing $what into $venv, once, with $tool ..."
if [ ! -e "$venv" ]; then
  made=yes
  if [ -n "$uv" ]; then
    "$uv" venv -q --python "${python:->=3.11}" "$venv"
  else
    "$python" -m venv "$venv" || {
      echo "On Debian and Ubuntu this needs the package python3-venv." >&2
      exit 1
    }
  fi
fi
if [ -n "$uv" ]; then
  "$uv" pip install -q --python "$venv/bin/python" -e ".[$extra]"
else
  "$venv/bin/python" -m pip install -q --disable-pip-version-check -e ".[$extra]"
fi
made=
