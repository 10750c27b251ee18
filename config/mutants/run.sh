#!/bin/sh
# Breaks one check at a time (mutants.txt), and says whether the simulator notices: sh config/mutants/run.sh [RUNS] [NAME]
# Needs a built tree (mvn install -DskipTests). Every Byzantine role takes its turn in the runs.
set -eu
runs=${1:-120}
only=${2:-}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libs=$(find "$top/emulab/target/lib" -name '*.jar' ! -name 'aspas-*' | tr '\n' ':')
grep -v '^#' "$top/config/mutants/mutants.txt" | while IFS='|' read -r name file change; do
  name=$(echo "$name" | tr -d ' ')
  file=$(echo "$file" | tr -d ' ')
  if [ -n "$only" ] && [ "$only" != "$name" ]; then continue; fi
  rm -rf "$work/src" "$work/out"
  mkdir -p "$work/src" "$work/out"
  for module in crdt certify bft-cluster appserver client emulab; do
    mkdir -p "$work/src/$module"
    cp -r "$top/$module/src/main/java/." "$work/src/$module/"
  done
  mutated="$work/src/$(echo "$file" | sed 's#/src/main/java##')"
  original="$top/$file"
  sed "$(echo "$change" | sed 's/^ //')" "$original" > "$mutated"
  if cmp -s "$original" "$mutated"; then echo "STALE    $name: the expression changes nothing"; continue; fi
  find "$work/src" -name '*.java' ! -name package-info.java > "$work/files"
  if ! javac -nowarn -proc:none -parameters -d "$work/out" -cp "$libs" @"$work/files" > "$work/log" 2>&1; then
    echo "BROKEN   $name: does not compile"; continue
  fi
  if java -cp "$work/out:$libs" org.aspas.emulab.main.Aspas simulate \
      --seed 1 --runs "$runs" --roles each --minutes 0.12 --stop-at-first > "$work/log" 2>&1; then
    echo "SURVIVED $name"
  else
    echo "killed   $name: $(grep -m1 -o 'G[0-9]* violated[^,]*\|[A-Za-z]*Exception[^,]*' "$work/log" | cut -c1-140)"
  fi
done
