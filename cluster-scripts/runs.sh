# Sourced by the scripts that start runs, and by common.sh: messages, the end of a process that is started in the
# background, and where a program keeps its checkpoints. Not a program. Installed as share/kasen/runs.sh.
# shellcheck shell=bash disable=SC2034

# The comment at the head of the script that calls it.
print_help() {
  awk -v name="${0##*/}" 'NR > 1 && (!/^#/ || /^#SBATCH/) { exit }
    NR > 1 { sub(/^# ?/, ""); sub(/^Usage: [^ ]+/, "Usage: " name); print }' "$0"
}

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

usage_error() {
  echo "${0##*/}: $*; see ${0##*/} --help" >&2
  exit 2
}

# wait_for PID: until it has ended, with its exit status in `status`: a trap ends the shell's own wait.
wait_for() {
  while true; do
    status=0
    wait "$1" 2> /dev/null || status=$? # without the shell's word about a killed process
    kill -0 "$1" 2> /dev/null || break
  done
  status=0
  wait "$1" 2> /dev/null || status=$? # once more: it may have ended between a trap and that look at it
}

# checkpoints_of ARGUMENT...: the folder that a program writes its checkpoints to, or nothing.
checkpoints_of() {
  local folder=''
  while (($#)); do
    case $1 in
      --checkpoint) folder=${2-} ;;
      --checkpoint=*) folder=${1#*=} ;;
    esac
    shift
  done
  echo "$folder"
}

# has_checkpoint FOLDER
has_checkpoint() {
  local found=("$1"/checkpoint-*.h5)
  [[ $1 && -e ${found[0]} ]]
}

# without_resume ARGUMENT...: the arguments without those of --resume, in `arguments`: a second one would be refused.
without_resume() {
  arguments=()
  while (($#)); do
    case $1 in
      --resume) shift ;;
      --resume=*) ;;
      *) arguments+=("$1") ;;
    esac
    shift || break
  done
}
