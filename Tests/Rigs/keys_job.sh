#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command of KeyRigTests, which runs in the virtual machine of machine.py with simulated input devices: keys.py, with
# sessions of the command, and with bound keys of the library. The output and the exit status are written to the directory
# RESULTS.
set -u

export DARKROOM_SERVE=none
"$RIGS/keys.py" "$PROGRAMS/darkroom" "$PROGRAMS/darkroom-key-listener" >"$RESULTS/keys.out" 2>"$RESULTS/keys.err"
echo $? >"$RESULTS/keys.code"
echo "keys: $(cat "$RESULTS/keys.code") after $SECONDS s"
