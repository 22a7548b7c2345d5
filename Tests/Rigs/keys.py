#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Presses keys of simulated input devices (uinput) and checks the reaction of darkroom.

  keys.py DARKROOM [LISTENER]

Run it as root with access to /dev/uinput and /dev/input/event*, for example in a virtual machine. LISTENER is the path of
darkroom-key-listener, which listens for bound keys with the library instead of `darkroom control listen`. The script needs
only Python and creates its own state root. The exit code is 0 if all checks pass.
"""

import fcntl
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
if not os.access("/dev/uinput", os.W_OK):
    sys.exit(f"{sys.argv[0]}: /dev/uinput cannot be written; run as root after 'modprobe uinput'")
DARKROOM, LISTENER = [*sys.argv[1:], None][:2]
CAMERA, VOLUMEDOWN, VOLUMEUP, POWER, PLAYPAUSE, A = 212, 114, 115, 116, 164, 30
EV_KEY, EV_SW = 1, 5
LENS_COVER = 9
EXTENSION = """#!/usr/bin/python3 -I
import json, os

names = os.environ["LISTEN_FDNAMES"].split(":")
reader = os.fdopen(3 + names.index("host-in"))
writer = os.fdopen(3 + names.index("host-out"), "w")

def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), file=writer, flush=True)

for line in reader:
    message = json.loads(line)
    params = message.get("params", {})
    if message.get("method") == "session/start":
        directory = params["sessionDirectory"]
        send(id=message["id"], result={"protocolVersion": 1})
        send(id="c", method="camera/start", params={"delivery": "latest"})
        send(method="viewfinder/presented", params={"frame": 1})
        send(id="s", method="capture/subscribe", params={})
    elif message.get("id") == "s":
        send(method="log", params={"level": "notice", "message": "subscribed"})
    elif message.get("method") == "capture/event":
        with open(directory + "/events.txt", "a") as events:
            print(params["source"], params["button"], params["phase"], file=events)
        send(method="log", params={"level": "notice", "message": "heard " + params["phase"]})
    elif message.get("method") == "session/willDismiss":
        break
"""


class Device:
    """A uinput device."""

    def __init__(self, name, keys, switches=()):
        before = set(os.listdir("/dev/input"))
        self.file = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK)
        fcntl.ioctl(self.file, 0x40045564, EV_KEY)
        for key in keys:
            fcntl.ioctl(self.file, 0x40045565, key)
        for switch in switches:
            fcntl.ioctl(self.file, 0x40045564, EV_SW)
            fcntl.ioctl(self.file, 0x4004556D, switch)
        fcntl.ioctl(self.file, 0x405C5503, struct.pack("HHHH80sI", 3, 0x1209, 1, 1, name.encode(), 0))
        fcntl.ioctl(self.file, 0x5501)
        until(lambda: [n for n in set(os.listdir("/dev/input")) - before if n.startswith("event")])
        (self.node,) = [n for n in set(os.listdir("/dev/input")) - before if n.startswith("event")]
        self.path = "/dev/input/" + self.node

    def change(self, code, value, kind=EV_KEY):
        for kind, code, value in ((kind, code, value), (0, 0, 0)):
            os.write(self.file, struct.pack("qqHHi", 0, 0, kind, code, value))

    def press(self, code):
        self.change(code, 1)
        self.change(code, 0)

    def unplug(self):
        fcntl.ioctl(self.file, 0x5502)
        os.close(self.file)

    def is_grabbed(self):
        """Whether a process has grabbed the device; the kernel refuses a second grab."""
        file = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(file, 0x40044590, 1)
            fcntl.ioctl(file, 0x40044590, 0)
            return False
        except OSError:
            return True
        finally:
            os.close(file)


def until(condition, seconds=60):
    """Waits for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition was not met in time"
        time.sleep(0.05)


class Program:
    """A darkroom process that runs concurrently with this script."""

    def __init__(self, *words, program=DARKROOM):
        self.notes = tempfile.NamedTemporaryFile("r", dir=PLACE, delete=False)
        self.results = tempfile.NamedTemporaryFile("r", dir=PLACE, delete=False)
        with open(self.notes.name, "w") as errors, open(self.results.name, "w") as output:
            self.process = subprocess.Popen(
                [program, *words], stdin=subprocess.DEVNULL, stdout=output, stderr=errors
            )

    def said(self, text):
        return open(self.notes.name).read().count(text)

    def hear(self, text, times=1):
        until(lambda: self.said(text) >= times or self.process.poll() is not None)
        assert self.said(text) >= times, open(self.notes.name).read()

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(60)


def darkroom(*words):
    done = subprocess.run([DARKROOM, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def events():
    """Returns the events that the extension received in the sessions so far, newest last."""
    top = os.environ["DARKROOM_ROOT"] + "/apps/org.example.keys/container/SessionContent"
    found = []
    for session in sorted(os.listdir(top) if os.path.isdir(top) else [], key=lambda n: os.stat(f"{top}/{n}").st_mtime):
        found += open(f"{top}/{session}/events.txt").read().split("\n")[:-1]
        shutil.rmtree(f"{top}/{session}")
    return found


def expect(name, found, wanted):
    assert found == wanted, f"{name}: {found}, not {wanted}"
    print(f"ok: {name}", flush=True)


def install():
    os.makedirs(f"{PLACE}/Keys/Extensions/Keys")
    reason = {"camera": "To see."}
    app = {"id": "org.example.keys", "name": "Keys", "open": ["/bin/true"], "usageDescriptions": reason}
    app["controls"] = [{"id": "shutter", "title": "Shoot", "extension": "org.example.keys.capture"}]
    extension = {"id": "org.example.keys.capture", "name": "Keys", "executable": "keys.py", "protocol": "1"}
    extension |= {"policy": "capture", "usageDescriptions": reason}
    json.dump(app, open(f"{PLACE}/Keys/app.json", "w"))
    json.dump(extension, open(f"{PLACE}/Keys/Extensions/Keys/extension.json", "w"))
    open(f"{PLACE}/Keys/Extensions/Keys/keys.py", "w").write(EXTENSION)
    os.chmod(f"{PLACE}/Keys/Extensions/Keys/keys.py", 0o755)
    darkroom("install", f"{PLACE}/Keys")
    darkroom("permission", "set", "org.example.keys", "camera", "authorized")


def install_player():
    """Installs a sound player that records the played files, and a theme with one sound."""
    theme = f"{PLACE}/data/sounds/freedesktop/stereo"
    os.makedirs(theme)
    open(f"{theme}/camera-shutter.oga", "w").write("shutter")
    open(f"{PLACE}/player", "w").write(f'#!/bin/sh\nbasename "$1" >>{PLACE}/played\n')
    os.chmod(f"{PLACE}/player", 0o755)
    os.environ |= {"DARKROOM_SOUND_PLAYER": f"{PLACE}/player", "XDG_DATA_DIRS": f"{PLACE}/data"}


def session():
    """Tests keys in a session: presses, hotplugged and unplugged devices, and grabs."""
    buttons = Device("rig buttons", [CAMERA, VOLUMEUP, VOLUMEDOWN])
    keyboard = Device("rig keyboard", [A, VOLUMEUP, PLAYPAUSE])
    run = Program("run", "org.example.keys.capture", "--camera", "pattern:64x48@5", "--keys", "auto", "--watchdog", "0s")
    run.hear("subscribed")
    until(buttons.is_grabbed)
    expect("a keyboard is not grabbed", keyboard.is_grabbed(), False)
    for device, key in ((buttons, CAMERA), (buttons, VOLUMEUP), (keyboard, PLAYPAUSE)):
        device.press(key)
    run.hear("heard ended", 3)
    headset = Device("rig headset (AVRCP)", [PLAYPAUSE])
    run.hear("(rig headset (AVRCP)) is now read, too")
    headset.change(PLAYPAUSE, 1)
    run.hear("heard began", 4)
    headset.unplug()
    run.hear("heard cancelled")
    # More events than the kernel buffers for a stopped reader, so that the release is lost.
    buttons.change(VOLUMEDOWN, 1)
    run.hear("heard began", 5)
    run.process.send_signal(signal.SIGSTOP)
    buttons.change(VOLUMEDOWN, 0)
    for _ in range(2000):
        buttons.press(CAMERA)
    run.process.send_signal(signal.SIGCONT)
    run.hear("heard ended", 4)
    buttons.press(VOLUMEUP)
    run.hear("heard ended", 5)
    run.end()
    expect("the devices are released after the session", buttons.is_grabbed(), False)
    heard = events()
    first = ["button primary", "button secondary", "remote primary"]
    expect("only presses of remote buttons play a sound", set(open(f"{PLACE}/played").read().split()), {"camera-shutter.oga"})
    expect("the extension receives presses", heard[:6], [f"{b} {p}" for b in first for p in ("began", "ended")])
    expect("unplugging a device cancels its press", heard[6:8], ["remote primary began", "remote primary cancelled"])
    expect("a lost release event is replaced", heard[8:10], ["button primary began", "button primary ended"])
    expect("the device is still read after lost events", heard[-2:], ["button secondary began", "button secondary ended"])
    buttons.unplug()
    keyboard.unplug()


def refused():
    """Tests the error messages for an unprivileged user."""
    device = Device("rig buttons", [CAMERA])
    own = {**os.environ, "DARKROOM_ROOT": f"{PLACE}/unprivileged"}
    shutil.copytree(os.environ["DARKROOM_ROOT"], own["DARKROOM_ROOT"], symlinks=True)
    subprocess.run(["chown", "-R", "65534:65534", own["DARKROOM_ROOT"]], check=True)
    os.chmod(PLACE, 0o755)
    with open(f"{PLACE}/dismiss", "w") as script:
        script.write("dismiss\n")

    def attempt(devices, place):
        words = [DARKROOM, "run", "org.example.keys.capture", "--keys", devices, "--script", f"{PLACE}/dismiss"]
        done = subprocess.run(words, capture_output=True, text=True, user=65534, group=65534, extra_groups=[], env=own)
        return done.returncode, "usermod -aG input" in done.stderr and place in done.stderr

    expect("a named unreadable device is refused with a fix", attempt(device.path, device.path), (71, True))
    expect("with auto, unreadable devices are reported", attempt("auto", " devices can be read: ")[1], True)
    device.unplug()


def killed():
    """Tests that a killed host releases the devices."""
    buttons = Device("rig buttons", [CAMERA])
    run = Program("run", "org.example.keys.capture", "--camera", "pattern:64x48@5", "--keys", buttons.path, "--watchdog", "0s")
    run.hear("subscribed")
    until(buttons.is_grabbed)
    run.end(signal.SIGKILL)
    expect("a killed host releases the device", buttons.is_grabbed(), False)
    darkroom("recover")
    buttons.unplug()


def listening():
    """Tests keys that are bound to a control: a single press, a double press, and the lens cover."""
    device = Device("rig shell", [CAMERA, POWER], [LENS_COVER])
    if LISTENER:
        listener = Program(os.environ["DARKROOM_ROOT"], program=LISTENER)
    else:
        listener = Program("control", "listen", "--camera", "pattern:64x48@5")
    listener.hear("no key is bound")
    for key in ("KEY_CAMERA", "KEY_POWER:double", "SW_CAMERA_LENS_COVER"):
        darkroom("control", "bind", key, "shutter")
    listener.hear("listening to", 3)
    # A reload of the bindings closes the devices, with the presses that were not read. This key has the last binding.
    listener.hear("SW_CAMERA_LENS_COVER presses")

    def opened(times):
        try:
            until(lambda: open(listener.results.name).read().count("opened org.example.keys") == times)
        except AssertionError:
            sys.exit(f"app not opened {times} times: {open(listener.notes.name).read()}")

    device.press(CAMERA)
    opened(1)
    device.press(POWER)
    time.sleep(1)
    device.press(POWER)
    device.press(POWER)
    opened(2)
    device.change(LENS_COVER, 1, EV_SW)
    device.change(LENS_COVER, 0, EV_SW)
    opened(3)
    expect("three key presses on the unlocked screen open the app", listener.said("refused"), 0)
    darkroom("lock")
    device.press(CAMERA)
    listener.hear("subscribed")
    until(device.is_grabbed)
    device.press(CAMERA)
    if not LISTENER:  # The library does not pass on the log of an extension.
        listener.hear("heard ended")
    # The power key of a grabbed device reaches only the host and ends the session.
    device.press(POWER)
    until(lambda: "outcome" in open(listener.results.name).read())
    expect("a key press on the locked screen launches the extension", events(), ["button primary began", "button primary ended"])
    darkroom("permission", "reset", "org.example.keys", "camera")
    before = listener.said("darkroom: KEY_CAMERA: ")
    device.press(CAMERA)
    listener.hear("darkroom: KEY_CAMERA: ", before + 1)
    expect("a refusal is reported, and the listener continues", listener.process.poll(), None)
    expect("the listener exits with 0 after SIGTERM", listener.end(), 0)
    device.unplug()


PLACE = tempfile.mkdtemp(prefix="darkroom-keys-")
os.environ["DARKROOM_ROOT"] = f"{PLACE}/state"
try:
    install()
    install_player()
    session()
    refused()
    killed()
    listening()
finally:
    shutil.rmtree(PLACE, ignore_errors=True)
