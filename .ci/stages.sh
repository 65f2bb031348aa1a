# Sourced by .ci/run and .ci/check.

readonly began=$SECONDS
declare -a report=()

# What the children of this shell have used of the processor, in seconds.
processor_seconds() {
  local stat
  read -ra stat <"/proc/$$/stat"
  echo $(((stat[15] + stat[16]) / $(getconf CLK_TCK)))
}

# Runs a command and tells how long it took. The first that fails ends the run.
stage() {
  local name=$1 start=$SECONDS processor status=0 line
  shift
  processor=$(processor_seconds)
  printf '\n== stage %s: %s\n' "$name" "$*"
  "$@" || status=$?
  line=$(printf '%-10s %6d s %6d s of processor' "$name" $((SECONDS - start)) $(($(processor_seconds) - processor)))
  ((status == 0)) || line+=": FAILED"
  report+=("$line")
  printf '== %s\n' "$line"
  ((status == 0)) || exit "$status"
}

summary() {
  printf '\n== stages, %d s\n' $((SECONDS - began))
  printf '%s\n' "${report[@]}"
  ccache --show-stats 2>/dev/null | grep -A 2 '^Cacheable' || true
}
trap summary EXIT
