#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs one shard of a batch, and copies the results to a directory that all shards share.
#
#   process-shard.sh INPUTS RESULTS APP SHARDS COMMAND...
#
# The state root ($DARKROOM_ROOT) may be lost with the node. RESULTS then has no directory for this shard, and the shard
# starts again. RESULTS/INDEX appears with one rename, when the shard is complete.

set -eu

inputs=$1 results=$2 app=$3 shards=$4
shift 4
index=$JOB_COMPLETION_INDEX
name=shard

if [ -d "$results/$index" ]; then
  echo "process-shard.sh: the results of shard $index exist"
  exit 0
fi

code=0
darkroom batch --inputs "$inputs" --recursive --app "$app" --name "$name" --shards "$shards" \
  --policy "${DARKROOM_POLICY:-capture}" -- "$@" || code=$?
# 1: an input failed. The ledger names the input, and the results of the other inputs are complete.
case $code in
  0 | 1) ;;
  *) exit "$code" ;;
esac

# An interrupted copy of another pod of this shard is never visible as RESULTS/INDEX.
unfinished=$results/.unfinished-$index-$(cat /proc/sys/kernel/random/uuid)
mkdir -p "$unfinished/content"
if [ -n "$(darkroom content list "$app")" ]; then
  darkroom content export "$app" --all --to "$unfinished/content" >/dev/null
fi
ledger=$DARKROOM_ROOT/batches/$name
if [ "$shards" -gt 1 ]; then ledger=$ledger.$index-of-$shards; fi
cp "$ledger/ledger.ndjson" "$unfinished/"
records=$DARKROOM_ROOT/apps/$app/container/SessionRecords
# A shard without inputs has no records.
if [ -d "$records" ]; then cp -r "$records" "$unfinished/records"; fi
mv -T "$unfinished" "$results/$index"
