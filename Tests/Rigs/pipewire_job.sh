#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands of PipeWireRigTests, which run in the virtual machine of machine.py with kernel cameras behind PipeWire: a webcam
# (vivid), and, if WITH is vimc, a camera behind a media controller that libcamera drives like those of phones. The module of
# vimc is in BOOT. The output and the exit status of each command are written to the directory RESULTS.
set -u

darkroom=$PROGRAMS/darkroom
export DARKROOM_ROOT=/run/pipewire DARKROOM_SERVE=none
export XDG_RUNTIME_DIR=/run/pipe XDG_CONFIG_HOME=/run/config

# Runs a command, and stores its standard output, its standard error and its exit code.
keep() {
  local name=$1
  shift
  "$@" >"$RESULTS/$name.out" 2>"$RESULTS/$name.err"
  echo $? >"$RESULTS/$name.code"
  echo "$name: $(cat "$RESULTS/$name.code") after $SECONDS s"
}

# Creates a PipeWire camera node, as the session manager does if it has D-Bus. Arguments: factory, object path, name.
add_camera() {
  local factory=$1 place=$2 name=$3
  cat >"$XDG_CONFIG_HOME/pipewire/pipewire.conf.d/$name.conf" <<END
context.objects = [
  { factory = spa-node-factory
    args = {
      factory.name = api.$factory.source
      api.$factory.path = "$place"
      node.name = $name
      node.description = "The camera $name"
      media.class = Video/Source
      media.role = Camera
      object.path = "$factory:$place"
    } }
]
END
}

mkdir -p "$XDG_RUNTIME_DIR" "$XDG_CONFIG_HOME/pipewire/pipewire.conf.d"
add_camera v4l2 /dev/video0 vivid
if [[ $WITH == vimc ]]; then
  insmod "$BOOT/vimc.ko"
  # libcamera queries the udev database for initialized devices. udev does not run here, so this writes the entries.
  mkdir -p /run/udev/data
  for device in /sys/bus/media/devices/*/dev /sys/class/video4linux/*/dev; do
    printf 'I:1\n' >"/run/udev/data/c$(cat "$device")"
  done
  touch /run/udev/control
  add_camera libcamera 'platform/vimc.0 Sensor B' vimc
fi

pipewire >"$RESULTS/pipewire.log" 2>&1 &
until [[ -S $XDG_RUNTIME_DIR/pipewire-0 ]] || ((SECONDS > 60)); do read -r -t 0.1 <>/run/nothing; done
# Only the modules that link nodes, because the others require D-Bus. WirePlumber 0.5 introduced profiles.
if [[ -d /usr/share/wireplumber/main.lua.d ]]; then
  WIREPLUMBER_CONFIG_DIR=$RIGS/WirePlumber wireplumber >"$RESULTS/wireplumber.log" 2>&1 &
else
  wireplumber --profile=policy >"$RESULTS/wireplumber.log" 2>&1 &
fi
# The session manager connects no client before it has set the default camera.
until pw-cli ls PipeWire:Interface:Metadata 2>/dev/null | grep -q '"default"' || ((SECONDS > 60)); do
  read -r -t 0.1 <>/run/nothing
done
echo "PipeWire was ready after $SECONDS s"

keep install "$darkroom" install /rig/bundle
keep list "$darkroom" camera list --json

# An extension increases the brightness of the webcam until its session ends.
keep picture "$darkroom" camera capture pipewire:vivid:320x180 --frames 2 --set brightness=200 "$RESULTS/picture.jpg" --json
printf 'await file settings.json within 100s\ndismiss\n' >/run/script
keep brighter "$darkroom" run org.example.rig.settings --camera pipewire:vivid:320x180 --watchdog 0s --script /run/script
find "$DARKROOM_ROOT" -name settings.json -exec mv {} "$RESULTS/settings.json" \;
keep ended "$darkroom" camera show /dev/video0 --json
[[ $WITH == vimc ]] || exit 0

keep show "$darkroom" camera show pipewire:vimc --json
# The driver supports only multiples of six.
keep vimc "$darkroom" camera capture pipewire:vimc:720x480 --frames 2 "$RESULTS/vimc.jpg" --json
printf 'await frame within 60s\npress primary\nwait 1s\ndismiss\n' >/run/script
keep session "$darkroom" run org.example.rig.snapshot --camera pipewire:vimc:720x480 --watchdog 0s --script /run/script \
  --record "$RESULTS/session.json"
find "$DARKROOM_ROOT" -name '*.jpg' -exec cp {} "$RESULTS/session.jpg" \;
