#!/usr/bin/env bash
# Makes a Debian package of Kasen: its programs, its library, and the launcher.
#
# Usage: package.sh [ARCH]
#   ARCH   the instruction set of the package, and of programs that are compiled against it, as for -march; by default
#          x86-64-v3, which servers have had since 2013
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
arch=${1:-x86-64-v3}

"$scripts/setup.sh"
export KASEN_ARCH=$arch
build package
rm -f "$root"/build/package/*.deb
(cd "$root/build/package" && cpack -G DEB > /dev/null)
ls "$root"/build/package/*.deb
