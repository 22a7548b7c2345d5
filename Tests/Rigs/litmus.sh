#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the memory ordering of the rings with a model of all permitted orders (herd7, from herdtools7 in Debian unstable).
#
#   litmus.sh                 check each model in the folder Litmus
#
# In each model, the outcome that must not happen must be impossible. Each barrier is then removed in turn: the outcome must
# become possible, which proves that the barrier is required and that the model can fail.

set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/Litmus"
command -v herd7 >/dev/null || { echo "litmus.sh: herd7: command not found; install herdtools7 (Debian unstable)" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# Prints whether the outcome of the model in a file is possible: Never, or Sometimes.
observe() {
  local -a model=()
  # The model of C11. For a model in assembly, herd7 chooses that of the processor.
  if [[ $(head -n 1 "$1") == C\ * ]]; then model=(-model rc11.cat); fi
  timeout 60 herd7 "${model[@]}" "$1" | sed -nE 's/^Observation [^ ]+ (Never|Sometimes|Always) .*/\1/p'
}

# Checks the result of the model in a file. The first argument describes the model.
expect() {
  local found
  found=$(observe "$2")
  echo "$1: ${found:-no result}"
  [[ $found == "$3" ]] || status=1
}

for file in *.litmus; do
  name=${file%.litmus}
  expect "$name" "$file" Never
  while IFS=: read -r line _; do
    sed -E "${line}{/fence/d; s/memory_order_(acquire|release)/memory_order_relaxed/; s/STLR/STR /g; s/SWPA/SWP /g}" "$file" \
      >"$scratch/$file"
    expect "$name without the barrier in line $line" "$scratch/$file" Sometimes
  done < <(grep -nE '// barrier$|\b(STLR|SWPA) .*;$' "$file")
done
exit "$status"
