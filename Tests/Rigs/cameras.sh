#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The jobs of CameraRigTests and PipeWireRigTests, one after the other in one virtual machine (machine.py). The results of
# each job are in a directory of its own below /rig.
set -u

mkfifo /run/nothing
mkdir /rig/camera /rig/pipewire
RESULTS=/rig/camera bash "$RIGS/camera_job.sh"
# That job has unplugged the cameras of vivid.
echo vivid.0 >/sys/bus/platform/drivers/vivid/bind
RESULTS=/rig/pipewire bash "$RIGS/pipewire_job.sh"
