#!/usr/bin/env bash
# Ranks Debian's packages by who depends on them: PageRank of a graph that every Debian machine carries.
#
# Usage: demo.sh [-n WORKERS]
#   -n WORKERS   by default one per core, at least 2
#
# Builds Kasen, writes the dependencies from apt's own lists to build/demo/packages.txt, ranks them, prints the plan and
# the ten packages that most others need, and sets the optimized run beside the unoptimized one. Everything it writes
# is in build/demo. Installs missing Debian packages first.
set -euo pipefail
# shellcheck source=cluster-scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

workers=$((cores < 2 ? 2 : cores))
while (($#)); do
  case $1 in
    --help | -h) print_help && exit ;;
    -n)
      workers=${2-}
      [[ $workers =~ ^[1-9][0-9]*$ ]] || usage_error "-n takes a number of workers"
      shift 2
      ;;
    *) usage_error "unknown argument '$1'" ;;
  esac
done

"$scripts/setup.sh"
build release pagerank kasen_yield

demo=$root/build/demo
graph=$demo/packages.txt
mkdir -p "$demo"
echo "== the graph"
if ! apt-cache dumpavail 2> /dev/null | python3 "$scripts/debian_dependencies.py" "$graph"; then
  echo "apt has no lists of packages here (apt-get update fetches them): a synthetic graph instead"
  python3 "$scripts/debian_dependencies.py" "$graph" --synthetic
fi

# pagerank REPORT OPTION...
pagerank() {
  local report=$1
  shift
  "$scripts/launch.sh" -n "$workers" "$root/build/release/bin/pagerank" --graph "$graph" --ids word \
    --report "$demo/$report" "$@"
}

echo "== PageRank on $workers workers"
pagerank optimized.json --output "$demo/ranks.h5" --top 10 --explain --verify
iterations=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["iterations"])' "$demo/optimized.json")
echo "== the same $iterations iterations with and without optimization, in turns; the fastest of three runs each"
for run in 1 2 3; do
  pagerank "optimized-$run.json" --iterations "$iterations" --quiet
  pagerank "baseline-$run.json" --iterations "$iterations" --quiet --fusion off --sync lazy
done
python3 "$scripts/compare_reports.py" optimized="$demo/optimized-?.json" baseline="$demo/baseline-?.json"
