#!/bin/sh
# Breaks one check at a time (mutants.txt), and says whether the simulator notices: sh config/mutants/run.sh [NAME...]
# Prints a table, a row as soon as it is known: the mutant, the guarantee that noticed it first, and the one run that shows it.
# A mutant named same:NAME changes only words: its runs must end like those of the original, to the hash of their traces.
# With --model first, the mutants of model.txt, and the state search of docs/model.md in place of the simulator. With --journal
# first, those of journal.txt, and the power cuts of docs/durability.md. With --tests first, those of tests.txt, and JUnit tests, which
# need JUnit's console launcher too: Maven brings it, or ASPAS_CONSOLE names it (a jar or a class path).
# With --stale first, nothing runs: it says which lines of all four lists change nothing any more.
# Exit code 0: all were caught. 1: one was not, or does not apply. 2: the original fails, so nothing can be said.
#
# The classes are those of the launcher, which builds what is stale. One core is enough: a mutant is a compiled class or two in front of
# the built ones, and its runs end with the first violation. ASPAS_CLASSES (a class path) replaces the built classes and libraries,
# ASPAS_TEST_CLASSES those of the tests, each % in it standing for the module, and ASPAS_MUTANTS (a file) the list.
# MutantsTest runs a sample of each list so in every build.
set -eu
mode=simulate
list=mutants.txt
case ${1:-} in
  --model) mode=search list=model.txt ;;
  --journal) mode=powercut list=journal.txt ;;
  --tests) mode=test list=tests.txt ;;
  --stale) mode=stale ;;
esac
case ${1:-} in --*) shift ;; esac
only=" $* "
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# One place says what the programs consist of: the launcher's build.
classes=${ASPAS_CLASSES:-}
if [ -z "$classes" ] && [ $mode != stale ]; then
  "$top/aspas" --version > /dev/null
  classes="$top/emulab/cli/target/launcher/classes:$top/emulab/cli/target/launcher/lib/*"
fi
failed=0

row() { # name, what became of it, the run
  printf '| `%s` | %s | %s |\n' "$1" "$2" "${3:+\`$3\`}"
}

bad() { # name, what is wrong with it, the run
  row "$1" "**$2**" "${3:-}"
  failed=1
}

# Nothing is said of any mutant when the original fails already.
require_original() { # what was run
  [ "$code" -ne 0 ] || return 0
  tail -n 20 "$work/log" >&2
  echo "mutants: the original fails (exit code $code): $1" >&2
  exit 2
}

simulate() { # class path, arguments...; the exit code is in $code
  path=$1
  shift
  # Campaigns begin at a random seed; a mutant is to be caught by the same runs each time.
  case " $* " in *" --seed "*) ;; *) set -- "$@" --seed 1 ;; esac
  code=0
  # shellcheck disable=SC2048,SC2086 # several arguments
  timeout 600 java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$path" \
    org.aspas.emulab.cli.Aspas simulate --minutes 0.12 $* > "$work/log" 2>&1 < /dev/null || code=$?
}

# Changes each file of a list by the same expression, into $work/src; each has to change.
applied() { # name, files with a comma between them, expression
  rm -rf "$work/src"
  mkdir -p "$work/src"
  for file in $(printf '%s' "$2" | tr ',' ' '); do
    mutated="$work/src/$(basename "$file")"
    if [ ! -f "$top/$file" ]; then bad "$1" "STALE: there is no $file"; return 1; fi
    sed "$3" "$top/$file" > "$mutated"
    if cmp -s "$top/$file" "$mutated"; then bad "$1" "STALE: the expression changes nothing in $file"; return 1; fi
  done
}

# Makes the mutated classes.
compiled() { # name, files with a comma between them, expression
  applied "$@" || return 1
  rm -rf "$work/out"
  mkdir -p "$work/out"
  if ! javac -nowarn -proc:none -parameters -d "$work/out" -cp "$classes" "$work"/src/*.java > "$work/log" 2>&1; then
    bad "$1" "BROKEN: it does not compile"
    return 1
  fi
}

# The arguments of the one run that the line of a result names, in place of those of the whole try.
exact() { # arguments
  awk -v arguments="$1" '
    /^seed [0-9]+ f=[0-9]+ b=[0-9]+ [^:]*: / {
      roles = $0
      sub(/^[^b]*b=[0-9]+ /, "", roles)
      sub(/: .*/, "", roles)
      gsub(/--(runs|seed|f|threads) [^ ]+ */, "", arguments)
      if (roles != "honest") sub(/--roles (each|mix)/, "--roles " roles, arguments)
      sub(/ +$/, "", arguments)
      f = substr($3, 3)
      print arguments " --seed " $2 (f == 1 || arguments ~ /--scenario/ ? "" : " --f " f)
      exit
    }' "$work/log"
}

killed() { # name, tries with a semicolon between them
  printf '%s\n' "$2" | tr ';' '\n' > "$work/tries"
  while read -r arguments <&3; do
    simulate "$work/out:$classes" "$arguments" --stop-at-first
    # 1 is a violation, or an exception of a core; 124 would be the time limit, 2 wrong arguments: neither shows anything.
    if [ "$code" -eq 1 ]; then
      guarantee=$(grep -o '[A-Z][A-Z0-9]* violated\|[A-Za-z]*Exception\|[A-Za-z]*Error' "$work/log" | head -1 | cut -d' ' -f1)
      run=$(exact "$arguments")
      # The original has to pass the same run: else it is not the mutant that was noticed.
      simulate "$classes" "$run" --stop-at-first
      require_original "simulate $run"
      row "$1" "$guarantee" "$run"
      return
    fi
    [ "$code" -eq 0 ] || bad "$1" "exit code $code" "$arguments"
  done 3< "$work/tries"
  bad "$1" SURVIVED
}

verdict() { # class path, arguments: the exit code, and all figures but the machine's own time
  rm -f "$work/figures"
  simulate "$1" "$2" --json "$work/figures"
  printf 'exit code %s\n' "$code"
  grep -v '"real_seconds"' "$work/figures" || true
}

same() { # name, tries with a semicolon between them
  printf '%s\n' "$2" | tr ';' '\n' > "$work/tries"
  while read -r arguments <&3; do
    verdict "$classes" "$arguments" > "$work/original"
    verdict "$work/out:$classes" "$arguments" > "$work/mutant"
    if ! grep -q '"trace_hash"' "$work/original"; then bad "$1" "no figures" "$arguments"; return; fi
    if ! cmp -s "$work/original" "$work/mutant"; then bad "$1" "CHANGED a verdict" "$arguments"; return; fi
  done 3< "$work/tries"
  row "$1" "same verdicts"
}

search() { # class path in front, arguments...; the exit code is in $code
  path=$1
  shift
  code=0
  # shellcheck disable=SC2048,SC2086 # several arguments
  timeout 1800 java -Xmx3g -XX:+UseSerialGC -Duser.language=en -cp "$path:$work/model:$classes" \
    org.aspas.certify.model.SearchMain $* > "$work/log" 2>&1 < /dev/null || code=$?
  # A search that gave up has found nothing.
  if [ "$code" -eq 1 ] && grep -q 'NOT EXHAUSTED' "$work/log"; then code=0; fi
}

# The bounds of one search: it has to break a property, which is printed with the length of the shortest trace.
searched() { # name, arguments
  search "$work/out" "$2"
  property=$(grep -o '[A-Z][A-Z0-9 ]*[A-Z]:' "$work/log" | head -1 | tr -d ':')
  if [ "$code" -eq 1 ] && [ -n "$property" ]; then
    steps=$(grep -o 'trace of [0-9]* steps' "$work/log" | head -1)
    # The original has to pass the first so many states: else it is not the mutant that was noticed.
    states=$(sed -n 's/.*: \([0-9,]*\) states,.*/\1/p' "$work/log" | head -1 | tr -d ,)
    search "$work/none" "$2 most=$states"
    require_original "SearchMain $2 most=$states"
    row "$1" "$property, $steps" "$2"
  elif [ "$code" -eq 0 ]; then
    bad "$1" SURVIVED "$2"
  else
    bad "$1" "exit code $code" "$2"
  fi
}

# Power cuts of many seeds: one has to lose or change something, or refuse a disk that nothing is wrong with.
powercut() { # class path, what is cut, arguments...; the exit code is in $code
  path=$1
  case $2 in
    journal) main=org.aspas.certify.journal.PowerCutMain ;;
    store) main=org.aspas.appserver.core.StorePowerCutMain ;;
    record) main=org.aspas.bftcluster.node.RecordPowerCutMain ;;
    client) main=org.aspas.client.api.ClientRecordPowerCutMain ;;
    keys) main=org.aspas.emulab.testbed.deployment.DeploymentPowerCutMain ;;
    *) echo "unknown: $2" >&2; exit 2 ;;
  esac
  shift 2
  code=0
  # shellcheck disable=SC2048,SC2086 # several arguments
  timeout 600 java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
    -Dlogback.configurationFile="$work/quiet.xml" -Djava.io.tmpdir="$work" -cp "$path" $main $* \
    > "$work/log" 2>&1 < /dev/null || code=$?
}

powercuts() { # name, what is cut and its arguments
  # shellcheck disable=SC2086 # several arguments
  powercut "$work/out:$work/cuts:$classes" $2
  if [ "$code" -eq 1 ]; then
    what=${2%% *}
    seed=$(sed -n 's/^seed \([0-9]*\) [A-Z]*:.*/\1/p' "$work/log" | head -1)
    found=$(sed -n 's/^seed [0-9]* \([A-Z]*\):.*, after \([0-9]*\) runs$/\1, after \2 runs/p' "$work/log" | head -1)
    if [ -z "$seed" ]; then bad "$1" "an exception and no property" "$2"; return; fi
    # The original has to pass that one: else it is not the mutant that was noticed.
    powercut "$work/cuts:$classes" "$what" "$seed" 1
    require_original "power cuts of $what $seed 1"
    row "$1" "$found" "$2"
  elif [ "$code" -eq 0 ]; then
    bad "$1" SURVIVED "$2"
  else
    bad "$1" "exit code $code" "$2"
  fi
}

# ---- JUnit tests ----

# JUnit's own launcher, of the version that the build has.
launcher() {
  console=${ASPAS_CONSOLE:-}
  if [ -z "$console" ]; then
    version=$(sed -n 's:.*<junit.version>\(.*\)</junit.version>.*:\1:p' "$top/pom.xml")
    name=junit-platform-console-standalone
    mvn -q -f "$top/pom.xml" -N dependency:copy -Dartifact="org.junit.platform:$name:$version" -DoutputDirectory="$work"
    console=$work/$name-$version.jar
  fi
}

# The class path of a module's tests, without the mutated classes; asked once for each module.
test_path() { # module
  file=$work/path-$(printf '%s' "$1" | tr '/' '-')
  if [ ! -f "$file" ]; then
    if [ -n "${ASPAS_TEST_CLASSES:-}" ]; then
      printf '%s' "$ASPAS_TEST_CLASSES" | sed "s:%:$1:g" > "$file"
    else
      # With its modules below, compiled: so none of them needs to be installed.
      mvn -q -f "$top/pom.xml" -pl "$1" -am -Dspotless.check.skip test-compile dependency:build-classpath \
        -Dmdep.includeScope=test -Dmdep.outputFile=target/test-class-path < /dev/null
      printf '%s:%s' "$top/$1/target/test-classes" "$(cat "$top/$1/target/test-class-path")" > "$file"
    fi
  fi
  printf '%s:%s' "$classes" "$(cat "$file")"
}

# Runs tests, named by Class or Class#method; the exit code is in $code.
junit() { # class path in front, module, tests...
  path=$1
  module=$2
  shift 2
  selected=
  for one in "$@"; do
    source=$(find "$top/$module/src/test/java" -name "${one%%#*}.java" | head -1)
    class=$(printf '%s' "${source#"$top/$module/src/test/java/"}" | sed 's/\.java$//' | tr '/' '.')
    case $one in
      *#*) selected="$selected --select-method=$class#${one#*#}" ;;
      *) selected="$selected --select-class=$class" ;;
    esac
  done
  code=0
  # shellcheck disable=SC2086 # several arguments
  (cd "$top/$module" && exec timeout 300 java -Xmx2g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -XX:+IgnoreUnrecognizedVMOptions --enable-native-access=ALL-UNNAMED -cp "$path:$(test_path "$module"):$console" \
    org.junit.platform.console.ConsoleLauncher execute --details=tree --details-theme=ascii --disable-banner --disable-ansi-colors \
    --fail-if-no-tests --fail-fast $selected) > "$work/log" 2>&1 < /dev/null || code=$?
}

tested() { # name, modules with their tests, a semicolon between them
  printf '%s\n' "$2" | tr ';' '\n' > "$work/tries"
  while read -r module names <&3; do
    # The original has to pass the same tests, which is asked once.
    if ! grep -qxF "$module $names" "$work/passed"; then
      # shellcheck disable=SC2086 # several tests
      junit "$work/none" "$module" $names
      require_original "$module $names"
      printf '%s\n' "$module $names" >> "$work/passed"
    fi
    # shellcheck disable=SC2086 # several tests
    junit "$work/out" "$module" $names
    case $code in
      0) ;;
      1)
        # A test, or without one what failed around the tests.
        failing=$(grep -o '[A-Za-z0-9_]*(.*) \([0-9]* ms \)\{0,1\}\[X\]' "$work/log" | head -1 | sed 's/(.*//')
        if [ -z "$failing" ]; then
          failing=$(grep '\[X\]' "$work/log" | head -1 | sed "s/^[|+' -]*//;s/ *\([0-9]* ms \)\{0,1\}\[X\].*//")
        fi
        row "$1" "\`$failing\`" "$module $names"
        return
        ;;
      124)
        row "$1" "never ends" "$module $names"
        return
        ;;
      *) bad "$1" "exit code $code" "$module $names" ;;
    esac
  done 3< "$work/tries"
  bad "$1" SURVIVED "$2"
}

# The fields of a line; the expressions hold || : they are cut at ' | ' with one bar.
fields() { # a line; they are in $name, $files, $change and $tries
  name=${1%%' | '*}
  rest=${1#*' | '}
  files=${rest%%' | '*}
  rest=${rest#*' | '}
  change=${rest%%' | '*}
  tries=${rest#*' | '}
}

if [ $mode = stale ]; then
  for list in mutants.txt model.txt journal.txt tests.txt; do
    grep -v '^#\|^$' "$top/config/mutants/$list" > "$work/list"
    while read -r line; do
      fields "$line"
      applied "$name" "$files" "$change" || true
    done < "$work/list"
  done
  exit $failed
fi

grep -v '^#\|^$' "${ASPAS_MUTANTS:-$top/config/mutants/$list}" > "$work/list"
if [ $mode = search ]; then
  mkdir "$work/model"
  find "$top/certify/src/test/java/org/aspas/certify/model" -name '*.java' ! -name '*Test.java' > "$work/sources"
  javac -nowarn -proc:none -parameters -d "$work/model" -cp "$classes" @"$work/sources"
  search "$work/none" 1 1 1 0 0 0
  require_original "SearchMain 1 1 1 0 0 0"
  printf '| Mutant | Broken property | Bounds and options of `SearchMain` |\n|---|---|---|\n'
elif [ $mode = powercut ]; then
  mkdir "$work/cuts"
  printf '<configuration><root level="OFF"/></configuration>\n' > "$work/quiet.xml"
  tests=src/test/java/org/aspas
  (cd "$top" && ls certify/$tests/certify/journal/PowerCut*.java \
    appserver/$tests/appserver/store/StoreOnLayer.java appserver/$tests/appserver/core/StorePowerCut*.java \
    appserver/$tests/appserver/core/Deployment.java appserver/$tests/appserver/core/MemoryBase.java \
    appserver/$tests/appserver/core/SteppedThread.java appserver/$tests/appserver/core/TestClient.java \
    appserver/$tests/appserver/core/UnforcedStore.java \
    bft-cluster/$tests/bftcluster/node/RecordPowerCut*.java \
    client/$tests/client/api/ClientRecordPowerCut*.java \
    emulab/testbed/$tests/emulab/testbed/deployment/DeploymentPowerCut*.java emulab/testbed/$tests/emulab/testbed/deployment/MemoryFolders.java) | grep -v 'Test\.java$' > "$work/sources"
  (cd "$top" && javac -nowarn -proc:none -parameters -d "$work/cuts" -cp "$classes" @"$work/sources")
  powercut "$work/cuts:$classes" journal 1 5
  require_original "power cuts of journal 1 5"
  printf '| Mutant | Noticed by | Power cuts of, first seed and runs |\n|---|---|---|\n'
elif [ $mode = test ]; then
  launcher
  : > "$work/passed"
  printf '| Mutant | Noticed by | Module and tests |\n|---|---|---|\n'
else
  simulate "$classes" --roles none --seed 1
  require_original "simulate --roles none --seed 1"
  printf '| Mutant | Noticed by | Run: `aspas simulate --minutes 0.12` and |\n|---|---|---|\n'
fi
looked=0
while read -r line; do
  fields "$line"
  case $only in "  " | *" $name "*) ;; *) continue ;; esac
  looked=$((looked + 1))
  compiled "$name" "$files" "$change" || continue
  case $mode:$name in
    test:*) tested "$name" "$tries" ;;
    powercut:*)
      case $tries in
        simulate*) killed "$name" "${tries#simulate }" ;;
        *) powercuts "$name" "$tries" ;;
      esac
      ;;
    search:*) searched "$name" "$tries" ;;
    *:same:*) same "$name" "$tries" ;;
    *) killed "$name" "$tries" ;;
  esac
done < "$work/list"
if [ "$looked" -eq 0 ]; then
  echo "mutants: $list has none named$only" >&2
  exit 2
fi
exit $failed
