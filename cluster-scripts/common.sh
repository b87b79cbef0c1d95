# Sourced by the other scripts: where things are, how many jobs. Not a program.
# shellcheck shell=bash disable=SC2034
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scripts=$root/cluster-scripts
cores=$(nproc)

# shellcheck source=cluster-scripts/runs.sh
source "$scripts/runs.sh"

# One compiler takes up to 2 GiB.
jobs() {
  local memory_gib
  memory_gib=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
  if ((memory_gib / 2 >= cores)); then
    echo "$cores"
  else
    echo $((memory_gib >= 4 && cores >= 2 ? 2 : 1))
  fi
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  if command -v ccache > /dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}  # else it caches nothing that uses them
  fi
  echo "== building $preset"
  (cd "$root" && cmake --preset "$preset" && cmake --build --preset "$preset" -j "$(jobs)" ${1+--target "$@"})
}
