#!/usr/bin/env bash
# Installs the Debian packages that Kasen needs and this machine lacks.
#
# Usage: setup.sh [--check] [--tests]
#   --check   only say what is missing; exit status 1 if anything is
#   --tests   also what only the tests use
#
# Runs apt-get as root or by sudo. The lists are packages.txt and packages-tests.txt beside this script.
set -euo pipefail
# shellcheck source=cluster-scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

check_only=false
lists=("$scripts/packages.txt")
for argument in "$@"; do
  case $argument in
    --help | -h) print_help && exit ;;
    --check) check_only=true ;;
    --tests) lists+=("$scripts/packages-tests.txt") ;;
    *) usage_error "unknown argument '$argument'" ;;
  esac
done

missing=()
while read -r package; do
  status=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null || true)
  grep -qx installed <<< "$status" || missing+=("$package")
done < <(grep -hv '^#' "${lists[@]}")
((${#missing[@]})) || exit 0

if $check_only; then
  die "missing packages: ${missing[*]}"
elif ((EUID == 0)); then
  as_root=()
elif command -v sudo > /dev/null; then
  as_root=(sudo)
else
  die "missing packages: ${missing[*]}; install them as root: apt-get install ${missing[*]}"
fi
echo "== installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
