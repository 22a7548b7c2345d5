#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the jobs of CameraRigTests, PipeWireRigTests and KeyRigTests one after the other in one virtual machine (machine.py).
# Each job has its own results directory below /rig.
set -u

mkfifo /run/nothing
mkdir /rig/camera /rig/pipewire /rig/keys
RESULTS=/rig/camera bash "$RIGS/camera_job.sh"
# The first job has unplugged the cameras of vivid.
echo vivid.0 >/sys/bus/platform/drivers/vivid/bind
RESULTS=/rig/pipewire bash "$RIGS/pipewire_job.sh"
RESULTS=/rig/keys bash "$RIGS/keys_job.sh"
