#!/bin/sh
# Breaks one check at a time (mutants.txt), and says whether the simulator notices: sh config/mutants/run.sh [NAME]
# Needs a built tree (mvn install -DskipTests). One core is enough: a mutant is one compiled class in front of the built
# ones, and its runs end with the first violation. ASPAS_CLASSES (a class path) replaces the built classes and libraries.
set -eu
only=${1:-}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
classes=${ASPAS_CLASSES:-}
if [ -z "$classes" ]; then
  for module in crdt certify bft-cluster appserver client emulab; do classes="$classes$top/$module/target/classes:"; done
  classes="$classes$(find "$top/emulab/target/lib" -name '*.jar' ! -name 'aspas-*' | tr '\n' ':')"
fi
survivors=0
grep -v '^#' "$top/config/mutants/mutants.txt" > "$work/list"
while read -r line; do
  # The expressions hold || : the fields are cut at ' | ' with one bar.
  name=$(printf '%s\n' "$line" | awk -F ' [|] ' '{print $1}')
  file=$(printf '%s\n' "$line" | awk -F ' [|] ' '{print $2}')
  change=$(printf '%s\n' "$line" | awk -F ' [|] ' '{print $3}')
  tries=$(printf '%s\n' "$line" | awk -F ' [|] ' '{print $4}')
  if [ -n "$only" ] && [ "$only" != "$name" ]; then continue; fi
  rm -rf "$work/src" "$work/out"
  mkdir -p "$work/src" "$work/out"
  mutated="$work/src/$(basename "$file")"
  sed "$change" "$top/$file" > "$mutated"
  if cmp -s "$top/$file" "$mutated"; then echo "STALE    $name: the expression changes nothing"; survivors=1; continue; fi
  if ! javac -nowarn -proc:none -parameters -d "$work/out" -cp "$classes" "$mutated" > "$work/log" 2>&1; then
    echo "BROKEN   $name: does not compile"; survivors=1; continue
  fi
  found=
  printf '%s\n' "$tries" | tr ';' '\n' > "$work/tries"
  while read -r arguments <&3; do
    code=0
    # shellcheck disable=SC2086 # several arguments
    timeout 600 java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$work/out:$classes" \
      org.aspas.emulab.main.Aspas simulate --minutes 0.12 $arguments --stop-at-first > "$work/log" 2>&1 < /dev/null || code=$?
    # 1 is a violation, or an exception of a core; 124 would be the time limit, 2 wrong arguments: neither shows anything.
    if [ "$code" -eq 1 ]; then
      found="$(grep -m1 -o 'G[0-9]* violated[^,]*\|[A-Za-z]*Exception[^,]*' "$work/log" | head -1 | cut -c1-120) ($arguments)"
      break
    fi
    [ "$code" -eq 0 ] || echo "         $name: exit code $code ($arguments)"
  done 3< "$work/tries"
  if [ -n "$found" ]; then echo "killed   $name: $found"; else echo "SURVIVED $name"; survivors=1; fi
done < "$work/list"
exit $survivors
