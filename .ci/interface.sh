#!/usr/bin/env bash
# Compares the public interface of each module with its text in .ci/interface, one declaration a line. With
# --update it writes the texts. The symbol graphs that it makes are what the documentation is compiled from.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=.build/ci/interface
mkdir -p "$output"
# See in_one_order in .ci/run.
export SWIFT_DETERMINISTIC_HASHING=1
# The modules that the tests use; nothing is compiled for the symbol graphs alone. The gate has built them elsewhere.
modules="${KINSHIP_MODULES:-}"
if [ -z "$modules" ]; then
  swift build --build-tests --traits SQLite,PostgreSQL
  modules="$(swift build --traits SQLite,PostgreSQL --show-bin-path)/Modules"
fi
target="$(swiftc -print-target-info | sed -nE 's/.*"unversionedTriple": "(.*)",/\1/p')"
symbols=.build/ci/symbols
mkdir -p "$symbols"
swiftc .ci/interface.swift -o "$output/describe"
differing=()
for module in Kinship KinshipFiles KinshipDiagnostics KinshipTranslation KinshipTiers KinshipSync \
  KinshipMemoryPressure KinshipTesting KinshipFileStore KinshipFoundation KinshipSQL KinshipSQLite KinshipPostgreSQL; do
  swift symbolgraph-extract -module-name "$module" -I "$modules" -target "$target" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols -output-dir "$symbols" \
    -Xcc "-fmodule-map-file=Sources/CSQLite/module.modulemap" \
    -Xcc "-fmodule-map-file=Sources/CPostgreSQL/module.modulemap" -Xcc "-I$(pg_config --includedir)"
  "$output/describe" "$module" "$symbols/$module.symbols.json" "$symbols/$module"@*.symbols.json \
    > "$output/$module.txt"
  [ -s "$output/$module.txt" ] || { echo "error: $module has no public interface" >&2; exit 1; }
  if [ "${1:-}" = --update ]; then
    cp "$output/$module.txt" .ci/interface
  else
    diff -u ".ci/interface/$module.txt" "$output/$module.txt" || differing+=("$module")
  fi
done
if [ ${#differing[@]} -gt 0 ]; then
  echo "error: .ci/interface does not say what is public in ${differing[*]}. If it should be public, run" \
    ".ci/interface.sh --update, and tell users in Release-notes.md what they have to alter." >&2
  exit 1
fi
