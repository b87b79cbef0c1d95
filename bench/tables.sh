#!/usr/bin/env bash
# Builds the preset `bench` and prints the tables of docs/performance.md, as Markdown, with what was run.
#
# Usage: tables.sh [--quick] [--data DIR] [--gapbs DIR] [--peers DIR] [--into FILE] [--list] [--help] ... [TABLE...]
#
# All tables without names; `--help` explains all options. With `--programs DIR` nothing is built.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

build=true
for argument in "$@"; do
  case $argument in
    --list | --help | -h | --programs*) build=false ;;
  esac
done
if $build; then
  (cd "$root" && cmake --preset bench && cmake --build --preset release) >&2
fi
exec python3 "$root/bench/tables.py" "$@"
