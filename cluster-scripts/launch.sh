#!/usr/bin/env bash
# Runs a Kasen program with several workers, on this machine or on several hosts.
#
# Usage: launch.sh [-n WORKERS] [--hosts FILE] [--restarts TIMES] [--probe SECONDS] [--] PROGRAM [ARGUMENT...]
#   -n WORKERS         how many; by default one for each slot of the hosts, or for each core of this machine
#   --hosts FILE       where: a host on a line, as HOST or HOST:SLOTS; ssh gets there without a question. In a Slurm
#                      allocation its hosts, and as many slots as it has tasks, if this is not given
#   --restarts TIMES   how often the program is started again if it has lost a worker, to a signal or a crash, or a host:
#                      from the newest checkpoint in the folder that its own --checkpoint names, or from the beginning
#                      while there is none; on the hosts that still answer, with no more workers than these have slots.
#                      Without --checkpoint it is an error
#   --probe SECONDS    how often hosts are asked whether they are there, with --restarts (default 30): one that has not
#                      answered twice is lost
#
# PROGRAM is a path, or the name of a program in build/release/bin (installed: beside this script). It and the data are
# in the same place on all hosts: before it starts, each host is asked for the program and for every file that an
# argument names, and for Kasen's libraries if they are shared, and has to have the same ones. With more workers than
# cores, waiting workers must give their core away, which MPICH does not do: libkasen_yield.so is then preloaded. A
# program that was built with Open MPI is started by that one's launcher, mpirun.openmpi, which is told to expect more
# workers than cores.
#
# Exit status: the program's. 128 and the number of the signal if SIGINT, SIGTERM or SIGHUP ended the run, or if a worker
# crashed or was killed by a signal, for want of memory for instance: which worker is also said on stderr. On several hosts
# that may be another number, as MPICH's launcher joins the bits of those of all workers; 255, where it has lost a host's
# workers before it knew why; or 15, where MPI itself fails, as it does on the others if a worker is killed while MPI
# starts. All are taken for a lost worker, and a program's own 4, 6, 7, 8, 9 or 11 for the signal of that number, which
# that launcher returns in the same way. Open MPI's returns 205 for a host that it has lost.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
cores=${KASEN_HOST_CORES:-$(nproc)} # of each host

# Beside this script, or in an installation.
shared=$here
[[ -f $shared/runs.sh ]] || shared=$here/../share/kasen
# shellcheck source=cluster-scripts/runs.sh
source "$shared/runs.sh"
# shellcheck source=cluster-scripts/hosts.sh
source "$shared/hosts.sh"

workers='' restarts=0 probe=''
while (($#)); do
  case $1 in
    --help | -h) print_help && exit ;;
    -n)
      workers=${2-}
      [[ $workers =~ ^[1-9][0-9]*$ ]] || usage_error "-n takes a number of workers"
      shift 2
      ;;
    --hosts)
      (($# > 1)) || usage_error "--hosts takes a file"
      read_hosts "$2"
      shift 2
      ;;
    --probe)
      probe=${2-}
      [[ $probe =~ ^[1-9][0-9]{0,5}$ ]] || usage_error "--probe takes a number of seconds"
      shift 2
      ;;
    --restarts)
      restarts=${2-}
      [[ $restarts =~ ^[0-9]{1,6}$ ]] || usage_error "--restarts takes a number of times"
      shift 2
      ;;
    --) shift && break ;;
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

if ((!${#hosts[@]})) && [[ ${SLURM_JOB_NODELIST:-} ]]; then
  slurm_hosts
  export HYDRA_LAUNCHER=${HYDRA_LAUNCHER:-slurm}
fi
most_on_a_host=${workers:-$cores}
if ((${#hosts[@]})); then
  workers=${workers:-$(slots_of_hosts)}
  rounds=$(((workers + $(slots_of_hosts) - 1) / $(slots_of_hosts)))
  most_on_a_host=$(($(printf '%s\n' "${slots[@]}" | sort -n | tail -n 1) * rounds))
fi
workers=${workers:-$cores}

checkpoints=$(checkpoints_of "$@")
files=()            # that the program reads
unnamed=$# writes='' # how many of what stands without an option, and is there, it reads; options of what it writes
case ${program##*/} in
  kasen-generate) unnamed=0 writes='--labels --weights' ;;
  kasen-calibrate) unnamed=0 ;;
  kasen-convert) unnamed=1 writes=--labels ;;
esac
for ((k = 1; k <= $#; ++k)); do
  if [[ ${!k} == --* && " --checkpoint --output --report --record --trace --dump-dag $writes " == *" ${!k%%=*} "* ]]; then
    [[ ${!k} == *=* ]] || ((++k))
    continue
  fi
  case ${!k} in
    --*=*) [[ ! -f ${!k#*=} ]] || files+=("${!k#*=}") ;;
    --partition) [[ $((++k)) -gt $# || ! -f ${!k} ]] || files+=("${!k}") ;;
    *)
      [[ -e ${!k} ]] || continue
      ((unnamed-- > 0)) || continue
      [[ ! -f ${!k} ]] || files+=("${!k}")
      ;;
  esac
done
[[ ! $probe ]] || ((restarts && ${#hosts[@]})) || usage_error "--probe is for --restarts on several hosts"
libraries=$(ldd "$program" 2> /dev/null || true)
# Kasen's, if they are shared, and those for other instruction sets, as hosts may differ in which one they take.
mapfile -t own_libraries < <(
  sed -nE 's#.* => (/.*/libkasen[^ ]*) .*#\1#; T; s#/glibc-hwcaps/[^/]*(/[^/]*)$#\1#; p' <<< "$libraries" |
    while read -r library; do
      for file in "$library" "${library%/*}"/glibc-hwcaps/*/"${library##*/}"; do
        [[ ! -f $file ]] || readlink -f "$file"
      done
    done
)
((!${#hosts[@]})) || check_hosts "$program" "${own_libraries[@]}" "${files[@]}"
((!restarts)) || [[ $checkpoints ]] || usage_error "--restarts is for programs with --checkpoint DIR"

# Of a script, which is started with MPICH, KASEN_MPI may say otherwise.
mpi=${KASEN_MPI:-mpich}
[[ $libraries != *libmpich.so.* ]] || mpi=mpich
[[ $libraries != *libmpi.so.40* ]] || mpi=openmpi
# What tells workers to end, through their launcher; statuses that say that one was lost.
if [[ $mpi == openmpi ]]; then
  request=XCPU lost=205 rank=OMPI_COMM_WORLD_RANK
else
  request=TERM lost='13 15 255' rank=PMI_RANK
fi
lost=" 132 133 134 135 136 137 139 159 $lost "

# On one host a worker's shell writes down here how the first one was killed, as the launcher may return another status.
fate=
if ((!${#hosts[@]})); then
  fate=$(mktemp)
  trap 'rm -f "$fate"' EXIT
fi

preload=()
if [[ $mpi == mpich ]] && ((most_on_a_host > cores)); then
  # Beside the program in a build tree, beside this script in an installation.
  for directory in "$(dirname "$program")/../lib" "$here"/../lib{,64,/*-linux-gnu} "$here/../build/release/lib"; do
    library=$(readlink -f "$directory/libkasen_yield.so" || true)
    if [[ -f $library && $library != *[[:blank:]:]* ]]; then # which LD_PRELOAD separates libraries by
      preload=(-genv LD_PRELOAD "$library")
      break
    fi
  done
  ((${#preload[@]})) || echo "${0##*/}: found no libkasen_yield.so that LD_PRELOAD can name (without blanks and colons): workers that wait will keep their cores from others" >&2
fi

# A shell around each worker sees how it ends: what MPICH's launcher says of a killed one may name another. Signals reach
# the worker itself, as both are of one process group.
read -r -d '' watch << 'END' || true
trap : INT TERM HUP XCPU
rank=$1 fate=$2
shift 2
exec {stderr}>&2 2> /dev/null # but for what the shell says
status=0
"$@" 2>&$stderr || status=$?
case $status in
  132 | 133 | 134 | 135 | 136 | 137 | 139 | 159) # a crash, or SIGKILL
    [[ ! $fate ]] || (set -o noclobber && echo "$status" > "$fate")
    echo "$0: worker ${!rank} was killed by signal $((status - 128)) ($(kill -l "$status"))" >&$stderr
    sleep 0.2 # which the launcher needs to pass the line on
    # By the same signal: before MPI is up, the launcher takes an exit for no reason to end the others.
    ulimit -c 0
    trap - INT TERM HUP XCPU
    kill -s $((status - 128)) $$
    ;;
esac
exit $status
END

# mpirun WORD...: becomes MPI's launcher of so many workers. Open MPI's answers SIGTERM, and a terminal's SIGINT, by
# killing them before they have taken a checkpoint, but passes SIGXCPU on, as it is told here; binds workers to cores,
# where MPICH's leaves them free; and tells at length of what is said here already.
mpirun() {
  local where=()
  if [[ $mpi == openmpi ]]; then
    ((!${#hosts[@]})) || where=(--host "$(list_of_hosts)" --mca plm_rsh_agent "${HYDRA_LAUNCHER_EXEC:-ssh}")
    ((most_on_a_host <= cores)) || where+=(--mca mpi_yield_when_idle 1)
    [[ -z ${GLIBC_TUNABLES:-} ]] || where+=(-x GLIBC_TUNABLES) # which chooses among libraries
    exec setsid mpirun.openmpi --quiet --bind-to none --oversubscribe --mca ess_base_forward_signals SIGXCPU \
      --mca opal_signal '' "${where[@]}" -n "$workers" "$@"
  else
    ((!${#hosts[@]})) || where=(-hosts "$(list_of_hosts)")
    exec mpirun.mpich -n "$workers" "${where[@]}" "${preload[@]}" "$@"
  fi
}

# start [ARGUMENT...]: runs the program once. MPICH's launcher sends a signal on to the workers, but may return 0 then.
received=0 status=0
start() {
  local watcher=
  [[ ! $fate ]] || rm -f "$fate"
  mpirun bash -c "$watch" "${0##*/}" "$rank" "$fate" "$program" "$@" <&0 &
  launcher=$!
  for signal in INT TERM HUP; do
    # shellcheck disable=SC2064
    trap "received=$(kill -l $signal); kill -$request $launcher 2> /dev/null || true" "$signal"
  done
  ((!received)) || kill -"$request" "$launcher" 2> /dev/null || true # before there was this launcher
  if ((restarts && ${#hosts[@]})); then
    watch_hosts "${probe:-30}" "$launcher" &
    watcher=$!
  fi
  wait_for "$launcher"
  [[ ! $watcher ]] || kill "$watcher" 2> /dev/null || true
  if ((received)); then
    status=$((128 + received))
    return
  fi
  if [[ $fate && -s $fate ]]; then
    status=$(< "$fate")
    return
  fi
  [[ $mpi == mpich ]] || return 0
  # The launcher kills the other workers, and may return the number of a signal.
  case $status in
    4 | 6 | 7 | 8 | 9 | 11) status=$((128 + status)) ;;
    # 15 while MPI starts, where the launcher may end before it has passed on what is said of the worker.
    13 | 15 | 255) echo "${0##*/}: the launcher lost its workers: one may have been killed" >&2 ;;
  esac
}

start "$@"
for ((time = 1; time <= restarts && !received; ++time)); do
  [[ $lost == *" $status "* ]] || break
  from="the beginning" resume=()
  if has_checkpoint "$checkpoints"; then
    from="its newest checkpoint in $checkpoints" resume=(--resume "$checkpoints")
    without_resume "$@"
    set -- "${arguments[@]}"
  fi
  what="a worker was lost" before=("${hosts[@]}")
  if ((${#hosts[@]})) && ! leave_out_silent_hosts; then
    ((${#hosts[@]})) || die "no host answers any more"
    ((workers <= $(slots_of_hosts))) || workers=$(slots_of_hosts)
    what="of ${#before[@]} hosts ${#hosts[@]} answer, which get $workers workers"
  fi
  echo "${0##*/}: $what: started again from $from ($time of $restarts)" >&2
  start "$@" "${resume[@]}"
done
exit "$status"
