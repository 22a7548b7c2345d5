#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A tour of Darkroom on arm64, as root in the virtual machine of `.ci/arm64 run`: the demo, the attacks, each layer alone, the
# proofs of the filters, a host that is killed at its file system calls, a kernel camera, and keys. PROGRAMS is the directory
# of the programs, and RIGS that of this file. PACKAGE is a Debian package; it is installed, and all steps run the installed
# commands.
#
# POINTS is the distance between the calls at which the host is killed (default: 1, at each call). The first is call 1.
# STEPS is an extended regular expression; only steps with a matching name run, and the installation of the package.
set -u

darkroom=$PROGRAMS/darkroom
export DARKROOM_SERVE=none DARKROOM_JOURNAL=none
failures=()

# Runs a step, and records its failure. The last lines of its output are printed.
step() {
  local name=$1 lines=$2 status=0 begin=$SECONDS
  shift 2
  [[ $name =~ ${STEPS-} ]] || return 0
  "$@" >/tmp/output 2>&1 || status=$?
  echo "== $name: exit $status after $((SECONDS - begin)) s"
  tail -n "$lines" /tmp/output
  if ((status != 0)); then failures+=("$name"); fi
}

# Runs a command as an ordinary user.
as_user() { setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all env HOME=/tmp/user "$@"; }

# Examines the machine. The exit code 69 reports a missing control group, which an unprivileged user does not have here.
examine() { "$@" doctor || (($? == 69)); }

# Runs a session whose extension captures a file; the arguments are options of the fault injector.
capture() {
  "$PROGRAMS/darkroom-faults" --under "$place" "$@" -- "$darkroom" --root "$place/state" exec --app org.example.camera -- \
    sh -c 'echo 1 >/session/picture && echo captured' >"$place.output" 2>&1
}

# Kills the host before each of its calls below the state root, and recovers. A captured file must then exist exactly once.
kill_host() {
  local point last captured found kills=0
  place=/tmp/kill
  mkdir -p "$place"
  capture --report /tmp/points || return 1
  last=$(wc -l </tmp/points)
  for ((point = 1; point <= last; point += ${POINTS:-1})); do
    rm -rf "$place"
    mkdir "$place"
    capture --point "$point" --do kill-before
    kills=$((kills + 1))
    "$darkroom" --root "$place/state" recover >/tmp/recovery 2>&1 || { cat /tmp/recovery; return 1; }
    captured=$(grep -cx captured "$place.output")
    found=$(find "$place/state" -name picture | wc -l)
    if ((found > 1 || found < captured)); then
      echo "killed at call $point: $(sed -n "${point}p" /tmp/points): captured $captured, found $found"
      return 1
    fi
  done
  echo "killed before $kills of $last calls; every captured file exists exactly once"
}

# Takes a picture with a kernel camera (vivid).
take_picture() {
  "$darkroom" camera list
  "$darkroom" camera capture /dev/video0:320x180 --frames 2 /tmp/picture.jpg
}

# Installs the package with dpkg, which checks the dependencies, and uses its commands from now on.
install_package() {
  dpkg --install "$PACKAGE" && dpkg --status darkroom && command -v darkroom darkroom-host
}

press_keys() {
  modprobe uinput && modprobe evdev
  "$RIGS/keys.py" "$darkroom"
}

uname -srm
if [[ -n ${PACKAGE-} ]]; then
  STEPS='' step 'package' 40 install_package
  darkroom=/usr/bin/darkroom
fi
# Gives the sessions of root a control group with the controllers of a policy.
echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
mkdir -p /sys/fs/cgroup/tour /tmp/user
export DARKROOM_CGROUP=/sys/fs/cgroup/tour
chown 1000:1000 /tmp/user
step 'doctor as root' 60 examine "$darkroom" --root /tmp/root
step 'doctor as a user' 60 examine as_user "$darkroom" --root /tmp/user/root
step 'policy verify' 20 "$darkroom" policy verify base capture container strict
step 'demo as root' 30 "$darkroom" --root /tmp/demo demo
step 'demo as a user' 30 as_user "$darkroom" --root /tmp/user/demo demo
step 'attack as root' 400 "$darkroom" --root /tmp/attack attack --prove --probes "$PROGRAMS/darkroom-probe"
step 'attack as a user' 400 as_user "$darkroom" --root /tmp/user/attack attack --prove --probes "$PROGRAMS/darkroom-probe"
step 'protections as root' 40 "$RIGS/protections.py" "$PROGRAMS" root
step 'protections as a user' 40 "$RIGS/protections.py" "$PROGRAMS" user
step 'kernel camera' 20 take_picture
step 'keys' 20 press_keys
step 'a killed host' 5 kill_host
echo "failed: ${failures[*]:-none}"
((${#failures[@]} == 0))
