#!/usr/bin/env bash
# Builds and tests Kasen.
#
# Usage: test.sh [--nightly]
#   --nightly   also the long tests, those of `debug` on 5 workers, and those of `ci` that are not long again under the
#               address and undefined-behaviour sanitizers
#
# Builds `ci` (release with assertions, warnings are errors) and runs its tests; builds `debug`, whose kernels count
# every element they touch, and runs the tests labelled `witness` there. Installs missing Debian packages first.
set -euo pipefail
# shellcheck source=cluster-scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

nightly=false
for argument in "$@"; do
  case $argument in
    --help | -h) print_help && exit ;;
    --nightly) nightly=true ;;
    *) usage_error "unknown argument '$argument'" ;;
  esac
done

# run_tests PRESET [CTEST_ARGUMENT...]: the rest still runs if something fails here.
status=0
run_tests() {
  echo "== testing $1"
  (cd "$root" && ctest --preset "$1" -j "$cores" --no-tests=error "${@:2}") || status=1
}

"$scripts/setup.sh" --tests
short=(-LE nightly)
witness=(-L '^witness$' -LE nightly)
$nightly && short=() && witness=(-L witness)

build ci
$nightly && build ci nightly_tests
run_tests ci "${short[@]}"
build debug witness_tests
run_tests debug "${witness[@]}"
if $nightly; then
  build asan
  run_tests asan -LE nightly
fi
exit $status
