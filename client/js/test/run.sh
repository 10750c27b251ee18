#!/usr/bin/env bash
# Runs the tests of the JavaScript client, those with real deployments too (ASPAS_LIVE=no leaves these out). Where there is no Node 20 or
# newer, it says so in one line and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p' || true)
if [[ -z $version ]] || ((version < 20)); then
  echo "client/js: not tested, for node 20 or newer is not here${version:+ (this is node $version)}"
  exit 0
fi
files=(test/*.test.js)
if [[ ${ASPAS_LIVE:-yes} != no ]]; then files+=(test/live/*.test.js); fi
node --test --test-concurrency=1 "${files[@]}" </dev/null
