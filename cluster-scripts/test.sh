#!/usr/bin/env bash
# Builds and tests Kasen.
#
# Usage: test.sh [--nightly]
#   --nightly   also the long tests, and those that are not long again under the address and undefined-behaviour
#               sanitizers
#
# Builds `ci` (release with assertions, warnings are errors) and runs its tests. Installs missing Debian packages first.
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

build ci
if $nightly; then
  build ci nightly_tests
  run_tests ci
  build asan
  run_tests asan -LE nightly
else
  run_tests ci -LE nightly
fi
exit $status
