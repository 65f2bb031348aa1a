# Sourced by .ci/run and .ci/check.

readonly began=$SECONDS
declare -a report=()
running=  # the stage that has begun
mkdir -p build
export CCACHE_STATSLOG=$PWD/build/ccache.log  # of this run alone
: >"$CCACHE_STATSLOG"

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
  running=$name
  printf '\n== stage %s: %s\n' "$name" "$*"
  "$@" || status=$?
  line=$(printf '%-10s %6d s %6d s of processor' "$name" $((SECONDS - start)) $(($(processor_seconds) - processor)))
  ((status == 0)) || line+=": FAILED"
  running=
  report+=("$line")
  printf '== %s\n' "$line"
  ((status == 0)) || exit "$status"
}

# Tests in this build of which none may be skipped for a program or a module that .ci/packages could have named.
# What needs modules of PyPI is tested by ./dev test python.
nothing_missing() {
  "$@" || return
  local why
  why=$(grep -E 'skipped: |SKIPPED \[' build/release/Testing/Temporary/LastTest.log |
    grep -vE 'PITBOSS_(ONNX_PYTHON|DJL_NETWORKS) is not set|no networks can be made here|only root|could not import .(pandas|polars|psycopg|gymnasium|pyspiel|IPython)') || return 0
  printf 'skipped for what .ci/packages lacks:\n%s\n' "$why" >&2
  return 1
}

# The tests use ONNX Runtime if it can be had; without PyPI, CTest shows its test as skipped.
onnxruntime() {
  if ./dev onnxruntime; then
    export PITBOSS_ONNX_PYTHON=$PWD/build/onnxruntime/bin/python
  else
    echo "no ONNX Runtime: its test is skipped"
  fi
}

# The wheel and the adapters with their packages from PyPI, if that can be had. Arguments go to pytest.
python() {
  if [[ -n ${PITBOSS_ONNX_PYTHON:-} ]]; then
    ./dev test python "$@"
  else
    echo "no PyPI: the tests of the wheel and the adapters are skipped"
  fi
}

# The page in Chromium, with playwright and TypeScript from PyPI and npm, if these can be had. Arguments go to pytest.
web() {
  if ./dev browser; then
    ./dev test web "$@"
  else
    echo "no Chromium, playwright or TypeScript: the tests of the page are skipped"
  fi
}

summary() {
  printf '\n== stages, %d s\n' $((SECONDS - began))
  printf '%s\n' "${report[@]}" ${running:+"$running: interrupted"}
  ccache --show-log-stats 2>/dev/null | grep -A 1 '^Cacheable' || true
}
trap summary EXIT
