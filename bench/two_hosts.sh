#!/usr/bin/env bash
# Runs a program with its workers on two hosts that are none: two network namespaces of this machine, joined by a link
# of limited rate. They are removed when the program has ended. As root, with iproute2 and MPICH.
#
# Usage: two_hosts.sh [--rate 1gbit] [--workers 2] PROGRAM ARGUMENT...
#
# Both hosts share the machine's cores and memory: with more workers than cores nothing can be learned about time.
set -euo pipefail

# MPICH starts the workers of a host by this script, as it would by ssh: [-x] HOST COMMAND...
if [[ -n ${KASEN_TWO_HOSTS:-} ]]; then
  while [[ $1 == -* ]]; do shift; done
  host=$1
  shift
  exec ip netns exec "$KASEN_TWO_HOSTS-${host##*.}" bash -c "$*"
fi

rate=1gbit workers=2
while [[ ${1:-} == --* ]]; do
  case $1 in
    --rate) rate=$2 ;;
    --workers) workers=$2 ;;
    *) echo "$0: no such option: $1" >&2 && exit 2 ;;
  esac
  shift 2
done
[[ $# -gt 0 ]] || { sed -n '2,7s/^# \?//p' "$0" >&2 && exit 2; }

hosts=kasen-$$
link=kasen0
trap 'ip netns del "$hosts-1" 2>/dev/null; ip netns del "$hosts-2" 2>/dev/null' EXIT
ip netns add "$hosts-1"
ip netns add "$hosts-2"
ip link add $link netns "$hosts-1" type veth peer name $link netns "$hosts-2"
for k in 1 2; do
  ip -n "$hosts-$k" addr add "10.231.79.$k/24" dev $link
  ip -n "$hosts-$k" link set $link up
  ip -n "$hosts-$k" link set lo up
  ip netns exec "$hosts-$k" tc qdisc add dev $link root tbf rate "$rate" burst 256kb latency 50ms
done
for k in 1 2; do  # UCX takes no device that is not up yet
  until [[ $(ip netns exec "$hosts-$k" cat /sys/class/net/$link/operstate) == up ]]; do sleep 0.05; done
done
export KASEN_TWO_HOSTS=$hosts UCX_NET_DEVICES=$link UCX_TLS=tcp,self
ip netns exec "$hosts-1" mpirun.mpich -localhost 10.231.79.1 -launcher ssh -launcher-exec "$(readlink -f "$0")" \
  -hosts "10.231.79.1:$((workers / 2)),10.231.79.2:$((workers - workers / 2))" -n "$workers" "$@"
