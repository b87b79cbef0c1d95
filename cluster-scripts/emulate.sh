#!/usr/bin/env bash
# Runs a program on several hosts that are none: network namespaces of this machine, joined by a bridge over links of
# limited rate. As root, with iproute2.
#
# Usage: emulate.sh [--hosts 2] [--rate 1gbit] [--workers N] [--run-option OPTION]... [--] PROGRAM [ARGUMENT...]
#   --hosts N              how many hosts
#   --rate RATE            of each host's link, each way, as tc writes it: 100mbit, 1gbit, 10gbit; unlimited
#   --workers N            in all, shared out evenly; by default one for each host
#   --run-option OPTION    passed on to launch.sh, which starts the program: --run-option --restarts --run-option 3
#
# All hosts share this machine's cores, memory and files: where there are more workers than cores, bytes are as on
# hosts of their own, and times are not. When the program has ended, namespaces and all processes in them are removed,
# those of earlier calls that were killed too, and a line on stderr says what each host's link has carried. Hosts are
# 10.231.79.1 and so on; "ip netns list" shows their namespaces.
#
# Exit status: that of launch.sh, to which SIGINT, SIGTERM and SIGHUP are passed on as SIGTERM.
set -euo pipefail

# MPICH, and launch.sh, start what runs on a host by this script, as they would by ssh: [-OPTION...] HOST COMMAND...
if [[ ${KASEN_EMULATED:-} ]]; then
  while [[ $1 == -* ]]; do shift; done
  host=$1
  shift
  space=$KASEN_EMULATED-${host##*.}
  if [[ $(ip -n "$space" link show up dev kasen0 2> /dev/null) != *"state UP"* ]]; then
    echo "$host cannot be reached" >&2
    exit 255
  fi
  exec ip netns exec "$space" bash -c "$*"
fi

# shellcheck source=cluster-scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

hosts=2 rate=1gbit workers='' run_options=()
while (($#)); do
  case $1 in
    --help | -h) print_help && exit ;;
    --hosts)
      hosts=${2-}
      [[ $hosts =~ ^[1-9][0-9]?$ ]] || usage_error "--hosts takes a number from 1 to 99"
      ;;
    --rate)
      rate=${2-}
      [[ $rate =~ ^([1-9][0-9]*[kmg]?bit|unlimited)$ ]] || usage_error "--rate takes a rate such as 1gbit, or unlimited"
      ;;
    --workers)
      workers=${2-}
      [[ $workers =~ ^[1-9][0-9]*$ ]] || usage_error "--workers takes a number of workers"
      ;;
    --run-option)
      (($# > 1)) || usage_error "--run-option takes an option of launch.sh"
      run_options+=("$2")
      ;;
    --) shift && break ;;
    -*) usage_error "unknown option '$1'" ;;
    *) break ;;
  esac
  shift 2
done
(($#)) || usage_error "no program given"
workers=${workers:-$hosts}
((workers >= hosts)) || usage_error "$workers workers on $hosts hosts: each has one at least"
((EUID == 0)) || die "only root may make network namespaces"
for tool in ip tc; do
  command -v $tool > /dev/null || die "$tool is missing: apt-get install iproute2"
done

# remove NAME: all namespaces of a call, the bridge's as NAME-0.
remove() {
  local space
  for space in $(ip netns list | awk -v name="$1-" 'index($1, name) == 1 { print $1 }'); do
    ip netns pids "$space" | xargs -r kill -KILL 2> /dev/null || true
    ip netns del "$space" || true
  done
}

for old in $(ip netns list | sed -n 's/^\(kasen-\([0-9]*\)\)-0\b.*/\1/p'); do
  [[ -e /proc/${old#kasen-} ]] || remove "$old"
done

name=kasen-$$ link=kasen0 network=10.231.79
directory=$(mktemp -d)
child='' received=0
trap 'remove "$name"; rm -rf "$directory"' EXIT
for signal in INT TERM HUP; do
  # What a shell starts in the background ignores SIGINT, so that it gets SIGTERM for each.
  # shellcheck disable=SC2064
  trap "received=$(kill -l $signal); [[ ! \$child ]] || kill -TERM \$child 2> /dev/null || true" "$signal"
done

# limit SPACE DEVICE: what it sends.
limit() {
  [[ $rate == unlimited ]] || tc -n "$1" qdisc add dev "$2" root tbf rate "$rate" burst 256kb latency 50ms
}

ip netns add "$name-0"
ip -n "$name-0" link add bridge type bridge
ip -n "$name-0" link set bridge up
for ((k = 1; k <= hosts; ++k)); do
  ip netns add "$name-$k"
  ip link add $link netns "$name-$k" type veth peer name "to$k" netns "$name-0"
  ip -n "$name-$k" addr add "$network.$k/24" dev $link
  ip -n "$name-$k" link set lo up
  ip -n "$name-$k" link set $link up
  ip -n "$name-0" link set "to$k" master bridge up
  limit "$name-$k" $link
  limit "$name-0" "to$k"
  echo "$network.$k:$((workers / hosts + (k <= workers % hosts ? 1 : 0)))" >> "$directory/hosts"
done
for ((k = 1; k <= hosts; ++k)); do # UCX takes no device that is not up yet
  until [[ $(ip netns exec "$name-$k" cat /sys/class/net/$link/operstate) == up ]]; do sleep 0.05; done
done

# Workers wait for each other on cores that all hosts share.
export KASEN_HOST_CORES=$((cores / hosts))
export KASEN_EMULATED=$name UCX_NET_DEVICES=$link UCX_TLS=${UCX_TLS:-tcp,self}
export HYDRA_LAUNCHER=ssh HYDRA_IFACE=$link
HYDRA_LAUNCHER_EXEC=$(readlink -f "$0")
export HYDRA_LAUNCHER_EXEC
((!received)) || exit $((128 + received))
ip netns exec "$name-1" "$scripts/launch.sh" --hosts "$directory/hosts" "${run_options[@]}" "$@" <&0 &
child=$!
((!received)) || kill -TERM "$child"
wait_for "$child"
((!received)) || status=$((128 + received))

carried=()
for ((k = 1; k <= hosts; ++k)); do
  sent=$(ip netns exec "$name-$k" cat "/sys/class/net/$link/statistics/tx_bytes" 2> /dev/null || echo "?")
  carried+=("$network.$k $sent")
done
(
  IFS=,
  echo "${0##*/}: bytes sent by each host over its link: ${carried[*]}" >&2
)
exit "$status"
