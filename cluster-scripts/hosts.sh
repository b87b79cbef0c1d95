# Sourced by launch.sh where workers run on several hosts: which these are, whether they answer, and whether they see the
# program and its data. Not a program. Installed as share/kasen/hosts.sh.
# shellcheck shell=bash
hosts=() slots=()

# add_host HOST SLOTS: more slots, if the host is there already.
add_host() {
  local k
  for k in "${!hosts[@]}"; do
    [[ ${hosts[k]} != "$1" ]] || { slots[k]=$((slots[k] + $2)) && return; }
  done
  hosts+=("$1") slots+=("$2")
}

# read_hosts FILE: lines of HOST or HOST:SLOTS, and comments, as mpirun takes them.
read_hosts() {
  local line number=0
  [[ -f $1 && -r $1 ]] || usage_error "--hosts: there is no file '$1' that can be read"
  while read -r line || [[ $line ]]; do
    number=$((number + 1))
    line=${line%%#*}
    line=${line%"${line##*[![:space:]]}"}
    [[ $line ]] || continue
    [[ $line =~ ^([A-Za-z0-9._-]+)(:([1-9][0-9]{0,4}))?$ ]] ||
      usage_error "$1:$number: '$line' is no HOST, and no HOST:SLOTS"
    add_host "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]:-1}"
  done < "$1"
  ((${#hosts[@]})) || usage_error "--hosts: there are no hosts in '$1'"
}

# slurm_hosts: those of the allocation that this runs in, with the tasks that it was asked for, or the cores that it has.
# Slurm writes 4(x2),3 for 4, 4, 3.
slurm_hosts() {
  local part count=${SLURM_TASKS_PER_NODE:-$SLURM_JOB_CPUS_PER_NODE}
  mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
  for part in ${count//,/ }; do
    [[ $part =~ ^([0-9]+)(\(x([0-9]+)\))?$ ]] || die "Slurm's tasks for each host, '$count', are not understood"
    for ((k = 0; k < ${BASH_REMATCH[3]:-1}; ++k)); do slots+=("${BASH_REMATCH[1]}"); done
  done
  ((${#hosts[@]} && ${#hosts[@]} == ${#slots[@]})) ||
    die "Slurm gives ${#hosts[@]} hosts, and tasks for ${#slots[@]}"
}

# on_host HOST SECONDS COMMAND: runs the command of a shell there, as MPICH's launcher would.
on_host() {
  if [[ ${HYDRA_LAUNCHER:-} == slurm ]]; then
    timeout "$2" srun --quiet --overlap --nodes=1 --ntasks=1 --nodelist="$1" bash -c "$3" < /dev/null
  else
    timeout "$2" "${HYDRA_LAUNCHER_EXEC:-ssh}" -x -oBatchMode=yes "$1" "$3" < /dev/null
  fi
}

# on_all_hosts SECONDS COMMAND: at once. answer_of[HOST] is what it prints; where it fails, reason_of[HOST] is its last line
# on stderr, and there is no answer.
declare -A answer_of=() reason_of=()
on_all_hosts() {
  local host asked=()
  directory=$(mktemp -d) # which watch_hosts removes when it is ended meanwhile
  answer_of=() reason_of=()
  for host in "${hosts[@]}"; do
    on_host "$host" "$1" "$2" > "$directory/$host.out" 2> "$directory/$host.error" && : > "$directory/$host.done" &
    asked+=($!)
  done
  wait "${asked[@]}" || true
  for host in "${hosts[@]}"; do
    if [[ -e $directory/$host.done ]]; then
      answer_of[$host]=$(< "$directory/$host.out")
    else
      reason_of[$host]=$(tail -n 1 "$directory/$host.error")
    fi
  done
  rm -rf "$directory"
}

# leave_out_silent_hosts: keeps those that answer; fails if one does not.
leave_out_silent_hosts() {
  local k left=() left_slots=() silent=0
  on_all_hosts 20 true
  for k in "${!hosts[@]}"; do
    if [[ -v answer_of[${hosts[k]}] ]]; then
      left+=("${hosts[k]}") left_slots+=("${slots[k]}")
    else
      silent=1
    fi
  done
  hosts=("${left[@]}") slots=("${left_slots[@]}")
  return $silent
}

slots_of_hosts() {
  local IFS=+
  echo $((${slots[*]:-0}))
}

# As mpirun takes it: HOST:SLOTS,HOST:SLOTS
list_of_hosts() {
  local k list=()
  for k in "${!hosts[@]}"; do list+=("${hosts[k]}:${slots[k]}"); done
  local IFS=,
  echo "${list[*]}"
}

# look_of FILE...: a command of a shell that prints a line for each, the same if they are the same: of the first all bytes
# are read, of others the first and last MiB.
look_of() {
  printf 'cd %q 2> /dev/null || { echo "no folder"; exit; }; first=1; for file in' "$PWD"
  printf ' %q' "$@"
  # shellcheck disable=SC2016
  printf '%s' '; do
    if [ -d "$file" ]; then echo folder
    elif [ ! -r "$file" ]; then echo missing
    elif [ "$first" ]; then cksum < "$file"
    else echo "$(wc -c < "$file") $({ head -c 1048576; tail -c 1048576; } < "$file" | cksum)"
    fi
    first=
  done'
}

# check_hosts FILE...: ends with a message if a host does not answer, or sees another program, which is the first, or
# other data than this one.
check_hosts() {
  local host here_lines lines k command wrong=0
  command=$(look_of "$@")
  mapfile -t here_lines < <(bash -c "$command")
  on_all_hosts 60 "$command"
  for host in "${hosts[@]}"; do
    if [[ ! -v answer_of[$host] ]]; then
      echo "${0##*/}: host $host does not answer: ${reason_of[$host]:-no answer in 60 s}" >&2
      wrong=1
      continue
    fi
    mapfile -t lines <<< "${answer_of[$host]}"
    if [[ ${lines[0]} == "no folder" ]]; then
      echo "${0##*/}: host $host has no folder $PWD" >&2
      wrong=1
      continue
    fi
    for ((k = 1; k <= $#; ++k)); do
      [[ ${lines[k - 1]-} != "${here_lines[k - 1]}" ]] || continue
      if [[ ${lines[k - 1]-} == missing ]]; then
        echo "${0##*/}: host $host has no ${!k}" >&2
      else
        echo "${0##*/}: host $host has another ${!k}" >&2
      fi
      wrong=1
    done
  done
  ((!wrong)) || exit 1
}

# watch_hosts SECONDS PID: ends this process when a host has twice in turn not answered.
watch_hosts() {
  exec < /dev/null > /dev/null 2>&1
  local host missed='' directory=''
  # shellcheck disable=SC2046
  trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$directory"; exit' TERM
  while true; do
    sleep "$1" &
    wait $!
    on_all_hosts 20 true
    for host in "${hosts[@]}"; do
      [[ -v answer_of[$host] || " $missed " != *" $host "* ]] || kill -KILL "$2"
    done
    missed=${!reason_of[*]}
  done
}
