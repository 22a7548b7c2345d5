#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands of CameraRigTests, which run in the virtual machine of machine.py with virtual cameras of the kernel (vivid).
# PROGRAMS is the directory of the built programs, and RIGS the directory of this file. The output and the exit status of
# each command are written to the directory RESULTS.
set -u

darkroom=$PROGRAMS/darkroom
shopt -s globstar nullglob dotglob
export DARKROOM_ROOT=/run/camera DARKROOM_SERVE=none

# Runs a command, and stores its standard output, its standard error and its exit code.
keep() {
  local name=$1
  shift
  "$@" >"$RESULTS/$name.out" 2>"$RESULTS/$name.err"
  echo $? >"$RESULTS/$name.code"
  echo "$name: $(cat "$RESULTS/$name.code") after $SECONDS s"
}

# Waits up to a minute for a file in session content. Polls without starting processes, which is slow under emulation.
await() {
  local deadline=$((SECONDS + 60))
  local -a found=()
  until ((${#found[@]} > 0 || SECONDS > deadline)); do
    read -r -t 0.1 <>/run/nothing
    found=("$DARKROOM_ROOT"/**/"$1")
  done
  echo "$1: ${#found[@]} after $SECONDS s"
}

keep list "$darkroom" camera list --json
keep show "$darkroom" camera show /dev/video0 --json
keep picture "$darkroom" camera capture /dev/video0:320x180 --frames 2 --set brightness=200 "$RESULTS/picture.jpg" --json

# The second camera supports multi-planar formats: with one, two and three memory planes.
keep planes "$darkroom" camera show /dev/video1 --json
for format in NV12 NM12 YM12; do
  keep "$format" "$darkroom" camera capture "/dev/video1:320x180,$format" --frames 2 "$RESULTS/$format.jpg" --json
done

# A picture that a sandboxed extension takes from the camera.
keep install "$darkroom" install /rig/bundle
printf 'wait 300ms\npress primary\nwait 1s\ndismiss\n' >/run/script
keep session "$darkroom" run org.example.rig.snapshot --camera /dev/video0:320x180 --watchdog 0s --script /run/script \
  --record "$RESULTS/session.json"
find "$DARKROOM_ROOT" -name '*.jpg' -exec cp {} "$RESULTS/session.jpg" \;

# A raw photo with 10 bits per sample, and the same frame as JPEG.
keep raw "$darkroom" run org.example.rig.raw --camera /dev/video0:320x180,GB10 --watchdog 0s --script /run/script
find "$DARKROOM_ROOT" -name '*.dng' -execdir cp {} "$RESULTS/raw.dng" \; -execdir cp IMG_1.jpg "$RESULTS/raw.jpg" \;

# An extension increases the brightness until its session ends, or until recovery after its host was killed.
printf 'await file settings.json within 100s\ndismiss\n' >/run/script
settings=(run org.example.rig.settings --camera /dev/video0:320x180 --watchdog 0s)
keep brighter "$darkroom" "${settings[@]}" --script /run/script
find "$DARKROOM_ROOT" -name settings.json -exec mv {} "$RESULTS/settings.json" \;
keep ended "$darkroom" camera show /dev/video0 --json
"$darkroom" "${settings[@]}" >"$RESULTS/killed.out" 2>"$RESULTS/killed.err" &
session=$!
await settings.json
keep bright "$darkroom" camera show /dev/video0 --json
kill -KILL "$session"
wait "$session"
keep recover "$darkroom" recover --json
keep recovered "$darkroom" camera show /dev/video0 --json

# A session uses the camera, and another process tries to open it.
"$darkroom" run org.example.rig.capture --camera /dev/video0:320x180 --watchdog 0s --record "$RESULTS/lost.json" \
  >"$RESULTS/lost.out" 2>"$RESULTS/lost.err" &
session=$!
echo "$session" >"$RESULTS/holder"
await flowing.json
keep busy "$darkroom" camera capture /dev/video0:320x180 --frames 1 /run/second.jpg

# A streaming error that the host handles, and then an unplugged camera during the session.
keep disturb "$RIGS/camera_button.py" /dev/video0 'Inject Fatal Streaming Error'
sleep 1
echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
wait "$session"
echo $? >"$RESULTS/lost.code"
for name in flowing.json news.json; do find "$DARKROOM_ROOT" -name "$name" -exec cp {} "$RESULTS/" \;; done
keep gone "$darkroom" camera list --json
