#!/usr/bin/env bash
# A Slurm job that runs a Kasen program on its allocation, and is queued again where its time is over before it has ended.
#
# Usage: sbatch [SBATCH_OPTION...] slurm.sh PROGRAM [ARGUMENT...]
#
#   sbatch --nodes=4 --ntasks-per-node=8 --time=12:00:00 slurm.sh pagerank --graph web.h5 --checkpoint saved
#
# Two minutes before its time is over (sbatch --signal=B:TERM@SECONDS to change that) the program is asked to end, and
# takes a checkpoint first if it has --checkpoint DIR. The job is then queued again, and goes on from there; without a
# checkpoint it ends. launch.sh, which starts the program, restarts it up to three times after a lost worker or node, if
# it has --checkpoint. Installed as share/kasen/slurm.sh; the installation's kasen-run is taken if it is on the PATH.
#SBATCH --job-name=kasen
#SBATCH --signal=B:TERM@120
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --no-kill
set -euo pipefail

if [[ ! ${SLURM_JOB_ID:-} || $# == 0 || $1 == -* ]]; then
  awk 'NR > 1 && (!/^#/ || /^#SBATCH/) { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
  [[ ${1-} == --help || ${1-} == -h ]] && exit
  exit 2
fi

# Slurm runs a copy of this script, and knows where the original is.
original=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/^ *Command=//p')
original=${original%" $*"} # what the job was given stands behind it
[[ -f $original ]] || original=${original%% *}
launch=${original%/*}/launch.sh
[[ -x $launch ]] || launch=$(command -v kasen-run) || {
  echo "slurm.sh: there is no launch.sh beside it, and no kasen-run on the PATH" >&2
  exit 1
}

# shellcheck source=cluster-scripts/runs.sh
source "${original%/*}/runs.sh"
checkpoints=$(checkpoints_of "$@")
options=() resume=()
[[ ! $checkpoints ]] || options=(--restarts 3)
if ((${SLURM_RESTART_COUNT:-0})) && has_checkpoint "$checkpoints"; then
  resume=(--resume "$checkpoints")
  without_resume "$@"
  set -- "${arguments[@]}"
fi

asked=false
"$launch" "${options[@]}" "$@" "${resume[@]}" &
running=$!
trap 'asked=true; kill -TERM "$running" 2> /dev/null || true' TERM
wait_for "$running"

# scancel sends the same signal, to a job that Slurm no longer calls running.
if $asked && ((status == 143)) && has_checkpoint "$checkpoints" &&
  [[ $(scontrol show job "$SLURM_JOB_ID") == *JobState=RUNNING* ]]; then
  echo "slurm.sh: the job's time is over: queued again, to go on from its newest checkpoint in $checkpoints" >&2
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
