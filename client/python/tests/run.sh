#!/usr/bin/env bash
# Runs the tests of the Python client, those with real deployments too (ASPAS_LIVE=no leaves these out), and builds the wheel. Where there
# is no Python 3.9 or newer with the library cryptography, it says so in one line and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  echo "client/python: not tested, for Python 3.9 or newer is not here"
  exit 0
fi
if ! "$python" -c 'import cryptography.hazmat.primitives.asymmetric.ed25519' 2>/dev/null; then
  echo "client/python: not tested, for the library cryptography is not here (pip install cryptography)"
  exit 0
fi

tests=(tests.test_vectors tests.test_conversation tests.test_transport tests.test_record tests.test_arguments tests.test_stale tests.test_command tests.test_mutations)
if [[ ${ASPAS_LIVE:-yes} != no ]]; then tests+=(tests.test_deployment); fi
export PYTHONDONTWRITEBYTECODE=1
"$python" -W error::ResourceWarning -m unittest "${tests[@]}"

# The wheel: with the setuptools of this Python if it builds wheels by itself, else with one that pip fetches.
target=$PWD/target
isolation=()
if "$python" -c 'import setuptools; from setuptools.command import bdist_wheel' 2>/dev/null; then
  isolation=(--no-build-isolation --no-index)
fi
rm -rf "$target"
mkdir -p "$target/source"
cp -R aspas pyproject.toml README.md "$target/source"
if "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps "${isolation[@]}" --wheel-dir "$target" "$target/source"; then
  "$python" -c 'import sys, zipfile; [print("client/python: built", name) for name in sys.argv[1:] if not zipfile.ZipFile(name).testzip()]' \
    "$target"/*.whl
else
  echo "client/python: no wheel was built: pip could not fetch setuptools"
  exit 1
fi
