#!/usr/bin/env bash
# Makes a Debian package of Kasen: its programs, its library, and the launcher.
#
# Usage: package.sh [ARCH]
#   ARCH   the least that machines must have, as for -march; by default x86-64-v2, which servers have had since 2011.
#          Kernels are compiled for the levels x86-64-v3 and x86-64-v4 too, if ARCH is a level below: every machine
#          takes the best that it has
#
# Installs missing Debian packages first, builds the preset `package`, and prints the path of the package, which
#   apt-get install PATH
# installs with all that it needs to run, and to compile programs (--no-install-recommends: to run only).
set -euo pipefail
# shellcheck source=cluster-scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1-} in
  --help | -h) print_help && exit ;;
  -*) usage_error "unknown option '$1'" ;;
esac
(($# <= 1)) || usage_error "one instruction set at most"
export KASEN_ARCH=${1:-x86-64-v2} KASEN_HWCAPS=
case $KASEN_ARCH in
  x86-64 | x86-64-v2) KASEN_HWCAPS="x86-64-v3;x86-64-v4" ;;
  x86-64-v3) KASEN_HWCAPS=x86-64-v4 ;;
esac

"$scripts/setup.sh"
build package
rm -f "$root"/build/package/*.deb
(cd "$root/build/package" && cpack -G DEB > /dev/null)
ls "$root"/build/package/*.deb
