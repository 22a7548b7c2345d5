#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What LibcameraRigTests wants to know of cameras that libcamera drives, done in the virtual machine of machine.py with the
# kernel's virtual media controller (vimc), which machine_vimc.py has put in BOOT. PipeWire has the camera there, as it has
# those of phones. What each command prints and ends with is left in /rig.
set -u

darkroom=$PROGRAMS/darkroom
export DARKROOM_ROOT=/run/root DARKROOM_SERVE=none
export XDG_RUNTIME_DIR=/run/pipe XDG_CONFIG_HOME=/run/config WIREPLUMBER_CONFIG_DIR=$RIGS/WirePlumber

# Runs a command, and keeps what it prints, what it says, and its exit code.
keep() {
  local name=$1
  shift
  "$@" >"/rig/$name.out" 2>"/rig/$name.err"
  echo $? >"/rig/$name.code"
  echo "$name: $(cat "/rig/$name.code") after $SECONDS s"
}

insmod "$BOOT/vimc.ko"
# libcamera asks udev whether a device is ready. It does not run here; this is what it would have written.
mkdir -p /run/udev/data
for device in /sys/bus/media/devices/*/dev /sys/class/video4linux/*/dev; do
  printf 'I:1\n' >"/run/udev/data/c$(cat "$device")"
done
touch /run/udev/control

mkdir -p "$XDG_RUNTIME_DIR" "$XDG_CONFIG_HOME/pipewire/pipewire.conf.d"
# As the session manager makes it where it has a bus.
cat >"$XDG_CONFIG_HOME/pipewire/pipewire.conf.d/camera.conf" <<'END'
context.objects = [
  { factory = spa-node-factory
    args = {
      factory.name = api.libcamera.source
      api.libcamera.path = "platform/vimc.0 Sensor B"
      node.name = vimc
      node.description = "Sensor B"
      media.class = Video/Source
      media.role = Camera
      object.path = "libcamera:platform/vimc.0 Sensor B"
    } }
]
END
mkfifo /run/nothing
pipewire >/rig/pipewire.log 2>&1 &
until [[ -S $XDG_RUNTIME_DIR/pipewire-0 ]] || ((SECONDS > 60)); do read -r -t 0.1 <>/run/nothing; done
wireplumber >/rig/wireplumber.log 2>&1 &
# It connects nobody before it has said which camera is the standard one.
until pw-cli ls PipeWire:Interface:Metadata 2>/dev/null | grep -q '"default"' || ((SECONDS > 60)); do
  read -r -t 0.1 <>/run/nothing
done
echo "PipeWire is there after $SECONDS s"

keep list "$darkroom" camera list --json
keep show "$darkroom" camera show pipewire:vimc --json
# The driver has only multiples of six.
keep picture "$darkroom" camera capture pipewire:vimc:720x480 --frames 2 /rig/picture.jpg --json
keep install "$darkroom" install /rig/bundle
printf 'await frame within 60s\npress primary\nwait 1s\ndismiss\n' >/run/script
keep session "$darkroom" run org.example.rig.snapshot --camera pipewire:720x480 --watchdog 0s --script /run/script \
  --record /rig/session.json
find /run/root -name '*.jpg' -exec cp {} /rig/session.jpg \;
