#!/usr/bin/env bash
# Runs a Kasen program with several workers on this machine.
#
# Usage: launch.sh [-n WORKERS] PROGRAM [ARGUMENT...]
#   -n WORKERS   how many; by default one per core
#
# PROGRAM is a path, or the name of a program in build/release/bin (installed: beside this script). With more workers
# than cores, waiting workers must give their core away, which MPICH does not do: libkasen_yield.so is then preloaded.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
cores=$(nproc)

usage_error() {
  echo "${0##*/}: $*; see ${0##*/} --help" >&2
  exit 2
}

workers=$cores
while (($#)); do
  case $1 in
    --help | -h) awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0" && exit ;;
    -n)
      workers=${2-}
      [[ $workers =~ ^[1-9][0-9]*$ ]] || usage_error "-n takes a number of workers"
      shift 2
      ;;
    -*) usage_error "unknown option '$1'" ;;
    *) break ;;
  esac
done
(($#)) || usage_error "no program given"

program=
for candidate in "$1" "$here/$1" "$here/../build/release/bin/$1"; do
  if [[ -x $candidate && ! -d $candidate ]]; then
    program=$(readlink -f "$candidate")
    break
  fi
done
[[ $program ]] || usage_error "no program '$1'"
shift

preload=()
if ((workers > cores)); then
  # Beside the program in a build tree, beside this script in an installation.
  for directory in "$(dirname "$program")/../lib" "$here"/../lib{,64,/*-linux-gnu} "$here/../build/release/lib"; do
    if [[ -f $directory/libkasen_yield.so ]]; then
      preload=(-genv LD_PRELOAD "$(readlink -f "$directory/libkasen_yield.so")")
      break
    fi
  done
  ((${#preload[@]})) || echo "${0##*/}: libkasen_yield.so not found: $workers workers on $cores cores will be slow" >&2
fi
exec mpirun.mpich -n "$workers" "${preload[@]}" "$program" "$@"
