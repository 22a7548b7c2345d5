#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Runs the test program of the C library like a host, and compares what both sides receive.

The script implements only the protocol document, and shares no code with Darkroom.
usage: host.py SCENARIO PROGRAM
"""

import array
import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
for folder in ("../PluginTests", "programs"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
from fake_host import CHROMA, HEIGHT, LUMA, Ring, WIDTH, luma  # noqa: E402
from signal_scenarios import session_signals as signals  # noqa: E402

BLOCK, BLOCKS, CHANNELS = 48, 4, 2
SOUND_STRIDE = (64 + BLOCK * CHANNELS * 2 + 63) // 64 * 64


class SoundRing:
    """The host's side of the sound ring."""

    def __init__(self):
        import mmap

        self.descriptor = os.memfd_create("sound", os.MFD_CLOEXEC)
        os.ftruncate(self.descriptor, 4096 + BLOCKS * SOUND_STRIDE)
        self.memory = mmap.mmap(self.descriptor, 0)
        struct.pack_into("<4s8I", self.memory, 0, b"DKSR", 1, 4096, BLOCKS, SOUND_STRIDE, 48000, CHANNELS, 1, BLOCK)

    def publish(self, sequence, position, frames=BLOCK, stored=None):
        """Publishes a block; `stored` is the sequence number of an overwritten block."""
        slot = 4096 + (sequence - 1) % BLOCKS * SOUND_STRIDE
        struct.pack_into("<QQQQI", self.memory, slot, 0, 1000 + sequence, 0, position, frames)
        samples = array.array("h", [sequence * 100 - index for index in range(frames * CHANNELS)]).tobytes()
        self.memory[slot + 64 : slot + 64 + len(samples)] = samples
        struct.pack_into("<Q", self.memory, slot, sequence if stored is None else stored)
        struct.pack_into("<Q", self.memory, 128, sequence)


class Host:
    """One session with the test program."""

    def __init__(self, scenario, program, directory, devices=True):
        self.directory, self.pending, self.printed = directory, b"", b""
        self.ring, self.viewfinder, self.sound = Ring(), Ring(), SoundRing()
        self.counters = {name: os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK) for name in
                         ("frame-event", "frame-done", "preview-event", "sound-event", "sound-done")}
        child_in, self.to_child = os.pipe()
        self.from_child, child_out = os.pipe()
        child_stdin, self.stdin = os.pipe()
        self.stdout, child_stdout = os.pipe()
        passed = {"host-in": child_in, "host-out": child_out}
        if devices:
            passed |= {"frames": self.ring.descriptor, "later": os.open("/dev/null", os.O_RDONLY)}
            passed |= {"preview": self.viewfinder.descriptor, "sound": self.sound.descriptor} | self.counters
        numbered = [child_stdin, child_stdout, *passed.values()]
        high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 100) for descriptor in numbered]
        targets = [0, 1] + list(range(3, 3 + len(passed)))
        actions = [(os.POSIX_SPAWN_DUP2, *pair) for pair in zip(high, targets)]
        environment = {"PATH": "/usr/bin:/bin", "LISTEN_FDS": str(len(passed)), "LISTEN_FDNAMES": ":".join(passed)}
        shell = ["/bin/sh", "-c", 'LISTEN_PID=$$; export LISTEN_PID; exec "$@"', "sh", program, scenario]
        self.process = os.posix_spawn(shell[0], shell, environment, file_actions=actions, setsid=True)
        for descriptor in [*high, child_in, child_out, child_stdin, child_stdout]:
            os.close(descriptor)

    def send(self, message):
        text = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))
        os.write(self.to_child, text.encode() + b"\n")

    def notify_together(self, *notifications):
        """Sends notifications with one write(2)."""
        messages = [{"jsonrpc": "2.0", "method": method, "params": params} for method, params in notifications]
        lines = [json.dumps(message, separators=(",", ":")) for message in messages]
        os.write(self.to_child, "".join(f"{line}\n" for line in lines).encode())

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    @staticmethod
    def take_line(descriptor, pending):
        while b"\n" not in pending:
            if not select.select([descriptor], [], [], 20)[0]:
                sys.exit("the program sends nothing")
            data = os.read(descriptor, 65536)
            if not data:
                return None, pending
            pending += data
        return pending.split(b"\n", 1)

    def receive(self):
        """Returns the next message, or None at end of file."""
        line, self.pending = self.take_line(self.from_child, self.pending)
        return None if line is None else json.loads(line)

    def expect(self, method, **params):
        """Checks the next message, and returns its ID, or None for a notification."""
        message = self.receive()
        assert message is not None, f"the program ended before {method}"
        wanted = {"jsonrpc": "2.0", "method": method, "params": params}
        assert {k: v for k, v in message.items() if k != "id"} == wanted, f"{message}\nnot {wanted}"
        return message.get("id")

    def answer(self, method, result=None, error=None, **params):
        """Checks the next message, a request, and replies."""
        identifier = self.expect(method, **params)
        assert isinstance(identifier, int), f"{method} is a notification"
        reply = {"error": error} if error else {"result": {} if result is None else result}
        self.send({"jsonrpc": "2.0", "id": identifier} | reply)
        return identifier

    def start(self, **changes):
        """Starts the session and returns the reply."""
        params = {"protocolVersions": [2, 1], "sessionID": "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11"}
        params |= {"app": "org.example.camera", "extension": "org.example.camera.capture"}
        params |= {"sessionDirectory": self.directory, "containerDirectory": "/container"}
        params |= {"extensionDirectory": "/extension", "appContext": {"a \"b\"": [1, "é"]}, "lockState": "locked"}
        params |= {"permissions": {"camera": "authorized", "microphone": "denied", "photos": "limited"}}
        params |= {"deadlines": {"launch": 10, "dismissal": 2.5}, "later": {"unknown": [True]}}
        params |= {"camera": {"width": WIDTH, "height": HEIGHT, "format": "i420", "frameRate": [30, 1], "name": "a\tb"}}
        self.send({"jsonrpc": "2.0", "id": "s\"1", "method": "session/start", "params": params | changes})
        reply = self.receive()
        assert reply["jsonrpc"] == "2.0" and reply["id"] == "s\"1", reply
        return reply

    def line(self):
        """Returns the next line that the program prints."""
        line, self.printed = self.take_line(self.stdout, self.printed)
        return None if line is None else line.decode()

    def prints(self, *lines):
        for wanted in lines:
            line = self.line()
            assert line == wanted, f"{line!r}\nnot {wanted!r}"

    def order(self, command, *lines):
        """Sends a line to the program's standard input, and compares what the program prints."""
        os.write(self.stdin, command.encode() + b"\n")
        self.prints(*lines)

    def count(self, name):
        """Returns and resets a counter."""
        descriptor = self.counters[name]
        return os.eventfd_read(descriptor) if select.select([descriptor], [], [], 0)[0] else 0

    def end(self):
        """Waits for the end of the program, and returns its exit code."""
        os.close(self.stdin)
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
        os.kill(self.process, signal.SIGKILL)
        sys.exit("the program does not end")


def requests(host):
    extra = {"scene": {"phase": "inactive", "orientation": "landscapeRight"}}
    extra |= {"launch": {"surface": "lockScreen", "control": "shutter"}, "libraryDirectory": "/photos"}
    extra |= {"assetsDirectory": "/assets", "cameraControls": 4}
    extra |= {"microphone": {"sampleRate": 48000, "channels": 2, "format": "s16le"}}
    extra |= {"deadlines": {"launch": 10, "dismissal": 2.5, "watchdog": 7.25}}
    assert host.start(**extra)["result"] == {"protocolVersion": 1}
    host.prints(
        "session 5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11 of org.example.camera, org.example.camera.capture",
        f"directories {host.directory} /container /photos /assets",
        'context {"a \\"b\\"":[1,"\\u00e9"]}',
        "lock 1, permissions 1 2 5 1",
        "deadlines 10 2.5 7.25",
        "camera 33x17 30/1 'a\tb'",
        "scene 2 4, launch 1 shutter",
        "controls 4, sound 48000 2, viewfinder 1",
    )
    host.answer("capture/subscribe")
    host.answer("capture/subscribe", defaultSoundDisabled=True)
    host.answer("capture/unsubscribe")
    host.answer("capture/playSound", {"played": True}, event=1, sound="cameraShutter", path="click.wav")
    host.answer("capture/playSound", {"played": False}, event=2, path="click.wav")
    host.answer("context/get", {"context": {"flash": "off"}})
    host.answer("context/get", {"context": None})
    host.answer("context/update", {"bytes": 3}, context={'a"': [1, "b  c"]})
    stored = {"code": 4018, "message": "the context has changed", "data": {"a": [2]}}
    host.answer("context/update", error=stored, context=2, ifContext={"a": 1})
    host.answer("context/update", {"bytes": 1}, context=2, ifContext=None)
    host.prints("subscribe: 0", "subscribe: 0", "unsubscribe: 0", "sound: 1", "sound: 0")
    host.prints('context {"flash":"off"}', "context null", "set: 0")
    host.prints("set: -6 1 0 'the argument is not valid JSON' -")
    host.prints("exchange: -4018 1 0 'the context has changed' {\"a\":[2]}", "exchange: 0")
    request_camera(host)
    request_content(host)
    request_photos(host)
    declare_controls(host)
    assert host.expect("viewfinder/presented", frame=17) is None
    assert host.expect("log", level="error", message='a\n"b" 7') is None
    host.answer("later/method", {"y": [1, {}]}, x=1.5)
    assert host.expect("later/note") is None
    host.answer("session/dismiss")
    host.prints("shown: 0", "log: 0", "other: 0", 'other {"y":[1,{}]}')
    host.prints("other: -6 1 0 'the argument is not valid JSON' -", "notify: 0", "dismiss: 0")
    assert host.end() == 0


def request_camera(host):
    setting = {"name": "zoom", "minimum": -100, "maximum": 500, "step": 10, "default": 100, "value": 200}
    settings = [setting | {"adjustable": True}, setting | {"adjustable": False, "values": [1, 2, 3]}]
    host.answer("camera/settings", {"settings": settings + [setting, setting]})
    host.answer("camera/set", {"value": 210}, name="zoom", value=205)
    text = "setting zoom -100..500 step 10 default 100 value 200 adjustable"
    host.prints(f"{text} 1 values 0", f"{text} 0 values 3", f"{text} 0 values 0", "settings: 33")
    host.prints("camera set: 0", "zoom 210")


def request_content(host):
    activity = {"activityType": "edit", "title": "Edit \u0001 \ufffd", "userInfo": {"photo": [1, "a b"]}}
    activity |= {"targetContentIdentifier": "photo-1", "webpageURL": "https://example.org/"}
    host.answer("session/openApplication", activity=activity | {"requiredUserInfoKeys": ["photo", "other"]})
    host.answer("session/invalidateContent", {"files": 3, "bytes": 123456})
    host.answer("session/beginActivity", {"activity": "1"}, reason="closing")
    host.answer("session/endActivity", activity="1")
    host.answer("session/beginActivity", {"activity": "12"}, reason="closing")
    host.prints("application: -6 1 0 'activity_type is missing' -", "application: 0", "invalidate: 0")
    host.prints("invalidated 3 123456", "activity: 0", "activity end: 0")
    host.prints("activity long: -9 1 0 'the buffer is too small for the activity's name' -")


def request_photos(host):
    asset = {"id": "7", "title": "Sun\"set", "mediaType": "image", "bytes": 41230, "createdAt": 1750000000000}
    asset |= {"session": None, "ownSession": False}
    host.answer("photos/authorization", {"status": "limited"}, level="addOnly")
    host.answer("photos/add", {"asset": asset}, path="photo-1.jpg")
    added = {"path": "photo-1.jpg", "title": "Sunset", "mediaType": "image", "move": True, "createdAt": 1750000000000}
    host.answer("photos/add", {"asset": asset}, **added)
    host.answer("photos/list", {"assets": [asset], "next": "7"}, limit=100)
    host.answer("photos/delete", asset="7")
    host.answer("photos/list", {"assets": [asset | {"id": "6", "session": "S", "ownSession": True}]}, limit=100, after="7")
    host.answer("photos/delete", error={"code": 4015, "message": "no such asset"}, asset="6")
    host.answer("photos/open", {"path": "/library/7.jpg"}, asset="7")
    host.answer("photos/open", {"path": "/library/7.jpg"}, asset="7")
    host.prints("permission: 5")
    host.prints("add nothing: -6 1 0 'the path of the photo is missing, or its media type does not exist' -")
    host.prints("add: 0", "add: 0", "added 7")
    host.prints("asset 7 'Sun\"set' type 1 own 0 bytes 41230 at 1750000000000 by -", "delete: 0")
    host.prints("asset 6 'Sun\"set' type 1 own 1 bytes 41230 at 1750000000000 by S")
    host.prints("delete: -4015 1 0 'no such asset' -", "list: 0", "open: 0", "opened /library/7.jpg")
    host.prints("open long: -9 1 0 'the buffer is too small for the reply' -")


def declare_controls(host):
    zoom = {"id": "zoom", "kind": "slider", "title": "Zoom", "symbol": "plus", "enabled": True, "value": 1.1}
    zoom |= {"range": [1, 5], "step": 0.5, "prominent": [1, 2], "format": "%@×"}
    speed = {"id": "speed", "kind": "slider", "title": "Speed", "symbol": "", "enabled": False, "value": 1.5}
    speed |= {"values": [1, 1.5, 2]}
    filters = {"id": "filter", "kind": "picker", "title": "Filter", "symbol": "", "enabled": True, "value": 1}
    filters |= {"titles": ["None", 'Mono "1"']}
    host.answer("controls/declare", revision=0, controls=[zoom, speed, filters])
    host.answer("controls/declare", revision=1, controls=[])
    host.prints("declare: 0", "declare none: 1")
    host.prints("declare sizes: -6 1 0 'the controls have different sizes' -")


def events(host):
    host.start(scene=None)
    host.prints("none: 0", "ready")
    # One write with several messages, and one message in several writes.
    host.send('{"jsonrpc":"2.0","method":"capture/event","params":{"button":"primary","phase":"began","id":1}}\n'
              '{"jsonrpc":"2.0","method":"capture/event","params":{"button":"secondary","phase":"cancelled",'
              '"source":"remote","id":2,"later":{"a":[1]}}}\n'
              ' {"params":{"button":"primary","phase":"ended"},"method":"capture\\/event","jsonrpc":"2.0"}')
    for part in ('{"jsonrpc":"2.0","meth', 'od":"context/changed","params":{"cont', 'ext":{"b":2}}}\n'):
        os.write(host.to_child, part.encode())
        time.sleep(0.01)
    host.notify("camera/ended", reason="formatChanged", message='the "size"')
    host.notify("camera/changed", frameRate=[15, 2])
    host.notify("scene/changed", phase="background", orientation="portraitUpsideDown")
    host.notify("lock/changed", lockState="unlocked")
    host.notify("permission/changed", permissions={"camera": "denied", "photosAddOnly": "restricted"})
    host.notify("requirements/changed", missing=["captureEvents", "camera", "later"], seconds=5)
    host.notify("requirements/changed", missing=[])
    host.notify("photos/changed")
    host.notify("controls/changed", revision=3, control="zoom", value=2.5)
    host.notify("controls/appearance", appearance="fullscreen")
    host.notify("content/room", state="low", reason="disk", bytes=524288000, files=9000)
    host.notify("microphone/ended", reason="failed", message="m")
    host.notify("pointer/event", contact=1, phase="cancelled", x=960, y=540.5, time=81250000000)
    host.notify("pointer/event", contact=1, phase="later", x=960, y=540.5, time=81250000000)
    host.notify("later/changed", x=1)
    # Unknown requests are refused, and null is an absent ID.
    host.send({"jsonrpc": "2.0", "id": [1, "x"], "method": "later", "params": {}})
    host.send({"jsonrpc": "2.0", "id": None, "method": "photos/changed"})
    # A reply that was not requested.
    host.send({"jsonrpc": "2.0", "id": 99, "result": {}})
    # The program exits after the dismissal, so the message after it is written at the same time.
    host.notify_together(("session/willDismiss", {"reason": "powerKey", "grace": 1.5}), ("photos/changed", {}))
    state = {"context": '{"a \\"b\\"":[1,"\\u00e9"]}', "lock": 1, "camera": 1, "add": 1, "scene": "1 1"}

    def event(number, method, button="0 0", id=0, reason=0, seconds="0", rate="0/0", missing=0, control="-=0@0",
              appearance=0, room="0 0 0", message="-", **changed):
        state.update(changed)
        appearance_and_room = f"appearance {appearance} room {room}"
        host.prints(
            f"{number} {method}: button {button} id {id} reason {reason} seconds {seconds} rate {rate} missing {missing} "
            f"control {control} {appearance_and_room} message {message} | "
            + " ".join(f"{name} {value}" for name, value in state.items()))

    host.prints("poll 1")
    event(1, "capture/event", button="1 1", id=1)
    event(3, "capture/event", button="2 2", id=2)
    event(2, "capture/event", button="1 1")
    event(7, "context/changed", context='{"b":2}')
    event(8, "camera/ended", reason=4, message='the "size"')
    event(9, "camera/changed", rate="15/2")
    event(10, "scene/changed", scene="3 2")
    event(11, "lock/changed", lock=2)
    event(12, "permission/changed", camera=2, add=4)
    event(13, "requirements/changed", missing=5, seconds="5")
    event(13, "requirements/changed", seconds="-1")
    event(14, "photos/changed")
    event(15, "controls/changed", control="zoom=2.5@3")
    event(16, "controls/appearance", appearance=3)
    event(17, "content/room", reason=3, room="2 524288000 9000")
    event(18, "microphone/ended", reason=3, message="m")
    host.prints("pointer/event: phase 4 contact 1 at 960 540.5, 81250000000")
    event(0, "pointer/event")
    event(0, "later/changed")
    event(14, "photos/changed")
    event(6, "session/willDismiss", reason=7, seconds="1.5")
    host.prints(*["end: -2 1 0 'the session was dismissed' -"] * 2)
    refusal = host.receive()
    assert refusal == {"jsonrpc": "2.0", "id": [1, "x"], "error": {"code": -32601, "message": "unknown method"}}, refusal
    assert host.end() == 0


def sums(sequence):
    """Returns the sums of a frame's planes. fake_host.py writes only the first."""
    return f"sums {sum(luma(sequence))} 0 0"


def frames(host):
    host.start()
    start = {"width": WIDTH, "height": HEIGHT, "format": "i420", "frameRate": [30, 1], "slots": 4}
    host.prints("early: -8 1 0 'the camera was not started' -")
    host.answer("camera/start", start, delivery="latest")
    host.prints("start: 0")
    publish_latest(host)
    show_frames(host)
    publish_every(host, start)
    host.notify("session/willDismiss", reason="person", grace=2)
    # The dismissal precedes frames.
    publish(host, 31)
    host.order("next", "next 1 6")
    assert host.end() == 0


def publish(host, *sequences):
    for sequence in sequences:
        host.ring.publish(sequence)
    os.eventfd_write(host.counters["frame-event"], len(sequences))


def publish_latest(host):
    host.order("next", "next 0 0")
    publish(host, 1)
    host.order("next", "next 1 4")
    host.order("next", "next 0 0")
    host.order("take", f"frame 1 33x17 dropped 0 {sums(1)} valid 1")
    host.order("copy", "copy 0", f"frame 1 33x17 dropped 0 {sums(1)} valid 1")
    assert host.count("frame-done") == 0
    publish(host, 2, 3, 4)
    host.order("next", "next 1 4")
    assert host.count("frame-done") == 1
    host.order("take", f"frame 4 33x17 dropped 2 {sums(4)} valid 1")
    publish(host, 5, 6, 7, 8)
    host.order("valid", "valid 0")
    host.order("copy", "copy -7", f"frame 1 33x17 dropped 0 {sums(1)} valid 1")
    host.order("free", "freed 1")
    host.order("present", "present: -7 1 0 'the host has overwritten the frame' -")
    host.order("save", "jpeg: -7 1 0 'the host has overwritten the frame' -",
               "png: -7 1 0 'the host has overwritten the frame' -")
    assert os.listdir(host.directory) == []
    host.order("finish", "finish: 0")
    assert host.count("frame-done") == 3
    # A frame that is being written is skipped, and counts as finished.
    struct.pack_into("<Q", host.ring.memory, host.ring.slot(8), 0)
    host.order("next", "next 1 4")
    host.order("take", "take: 0")
    assert host.count("frame-done") == 4
    host.order("take", "take: 0")


def show_frames(host):
    """Checks the viewfinder's ring, and the saved images."""
    shown = host.viewfinder
    for sequence in range(9, 13):
        publish(host, sequence)
        # The frames 5 to 8 were not taken.
        dropped = 4 if sequence == 9 else 0
        host.order("take", f"frame {sequence} 33x17 dropped {dropped} {sums(sequence)} valid 1")
        host.order("present", "present: 0")
        number = sequence - 8
        assert host.count("preview-event") == 1 and shown.number(128) == number
        assert shown.number(shown.slot(number)) == number
        assert shown.number(shown.slot(number) + 8) == host.ring.number(host.ring.slot(sequence) + 8)
        assert shown.bytes_of(number)[64 : 64 + LUMA] == luma(sequence)
    # The slot of a held frame is skipped.
    struct.pack_into("<Q", shown.memory, 136, 1)
    held = shown.bytes_of(1)
    host.order("draw", "begin: 0", "end: 0")
    assert shown.number(128) == 6 and shown.bytes_of(1) == held
    assert shown.bytes_of(6)[64 : 64 + LUMA + 2 * CHROMA] == b"\n" * LUMA + b"\v" * CHROMA + b"\f" * CHROMA
    struct.pack_into("<Q", shown.memory, 136, 0)
    # Chroma without colour, so that the images are grey.
    publish(host, 13)
    slot = host.ring.slot(13) + 64
    host.ring.memory[slot + LUMA : slot + LUMA + 2 * CHROMA] = b"\x80" * (2 * CHROMA)
    host.order("take", f"frame 13 33x17 dropped 0 sums {sum(luma(13))} {128 * CHROMA} {128 * CHROMA} valid 1")
    host.order("save", "jpeg: 0", "png: 0")
    host.order("save badly", "quality: -6 1 0 'the frame or the quality is invalid' -",
               "path: -4 1 2 'the file cannot be written: No such file or directory' -")
    assert sorted(os.listdir(host.directory)) == ["a.jpg", "a.png"]
    for name, tolerance in (("a.png", 0), ("a.jpg", 4)):
        path = f"{host.directory}/{name}"
        command = ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        pixels = subprocess.run(command, capture_output=True, check=True).stdout
        expected = bytes(value for value in luma(13) for _ in range(3))
        assert len(pixels) == len(expected), f"{name} has the wrong size"
        differences = [abs(a - b) for a, b in zip(pixels, expected)]
        assert max(differences) <= tolerance, f"{name}: a pixel differs by {max(differences)}"
    host.ring.memory[slot + LUMA : slot + LUMA + 2 * CHROMA] = bytes(2 * CHROMA)
    for descriptor in ("frame-done", "preview-event"):
        host.count(descriptor)


def publish_every(host, start):
    host.order("stop")
    host.answer("camera/stop")
    host.prints("stop: 0")
    host.order("take", "take: -8 1 0 'the camera was not started' -")
    host.order("every")
    host.answer("camera/start", start, delivery="every")
    host.prints("every: 0")
    host.count("frame-done")
    # More frames than slots: the first ones are overwritten.
    publish(host, *range(14, 21))
    for sequence, dropped in ((17, 3), (18, 0), (19, 0)):
        host.order("next", "next 1 4")
        host.order("take", f"frame {sequence} 33x17 dropped {dropped} {sums(sequence)} valid 1")
    host.order("take", f"frame 20 33x17 dropped 0 {sums(20)} valid 1")
    assert host.count("frame-done") == 6
    host.order("take", "take: 0")
    assert host.count("frame-done") == 1
    host.order("next", "next 0 0")


def sound(host):
    host.start()
    result = {"sampleRate": 48000, "channels": CHANNELS, "format": "s16le", "blockFrames": BLOCK, "slots": BLOCKS}
    host.answer("microphone/start", result, delivery="latest")
    host.prints("start: 0")
    host.order("", "next 0 0", "read: 0")

    def block(sequence, position, frames=BLOCK, lost=0):
        last = sequence * 100 - frames * CHANNELS + 1
        return (f"block at {position} frames {frames} of 2 at 48000 first {sequence * 100} last {last} lost {lost} "
                f"time {1000 + sequence}")

    host.sound.publish(1, 480)
    host.sound.publish(2, 528)
    os.eventfd_write(host.counters["sound-event"], 2)
    host.order("", "next 1 5", block(1, 480, lost=480), block(2, 528), "read: 0")
    assert host.count("sound-done") == 2
    # Block 3 is overwritten, and the host has lost sound before block 8, which is short.
    for sequence in range(3, 8):
        host.sound.publish(sequence, 480 + 48 * (sequence - 1), stored=0 if sequence == 5 else None)
    host.sound.publish(8, 1000, frames=7)
    os.eventfd_write(host.counters["sound-event"], 6)
    # The ring has the blocks 5 to 8; 5 is being overwritten.
    host.order("", "next 1 5", block(6, 720, lost=144), block(7, 768), block(8, 1000, 7, 184), "read: 0")
    assert host.count("sound-done") == 6
    # A count that exceeds the block is ignored.
    host.sound.publish(9, 1007, frames=7)
    struct.pack_into("<I", host.sound.memory, 4096 + 32, 1 << 31)
    os.eventfd_write(host.counters["sound-event"], 1)
    host.order("", "next 1 5", "read: 0")
    assert host.count("sound-done") == 1
    assert host.end() == 0


def errors(host):
    host.start()
    error = {"code": -32602, "message": "é" * 200, "data": None}
    host.answer("capture/subscribe", error=error)
    host.answer("capture/subscribe", error={"code": 4002})
    host.answer("capture/subscribe", error={"message": "x"})
    identifier = host.expect("capture/subscribe")
    host.send({"jsonrpc": "2.0", "id": identifier, "result": 7})
    host.prints(f"refused: -32602 1 0 '{'é' * 127}' null")
    host.prints("no data: -4002 1 0 'the host refused the request (4002)' -")
    host.prints("no code: -5 1 0 'the host sent a reply without a valid 'error.code'' -")
    host.prints("no result: -5 1 0 'the host sent a reply without a valid 'result'' -")
    late = host.expect("capture/subscribe")
    host.prints("timeout: -3 1 0 'the host sent no reply before the timeout' -")
    host.send({"jsonrpc": "2.0", "id": late, "error": {"code": 4013, "message": "late"}})
    host.answer("capture/subscribe")
    host.prints("after: 0")
    host.prints("deep: -6 1 0 'the argument is not valid JSON' -")
    host.prints("too deep: -9 1 0 'the message has more than 32 levels of arrays and objects' -")
    host.answer("context/update", context=1)
    host.prints("spaces: 0", "large: -9 1 0 'the message is longer than 65536 bytes' -")
    for device in ("camera", "microphone"):
        host.prints(f"{device}: -8 1 0 'the session has no such device' -")
    for case in ("small", "none", "garbage"):
        text = "a structure is missing or was not initialized with its DARKROOM_…_INIT"
        host.prints(f"{case}: -6 1 0 '{text}' -")
    # The descriptors belong to the first session, whose messages a second session would take.
    host.send("no JSON")
    host.prints("second 1 -5 'the host's first message is not session/start'")
    assert host.end() == 0


def closed(host):
    host.start()
    os.close(host.to_child)
    os.close(host.from_child)
    text = "-2 1 0 'the host has closed the connection' -"
    host.order("", f"log: {text}", f"request: {text}", f"next: {text}")
    assert host.end() == 0


def garbage(host):
    host.start()
    host.prints("none: 0", "ready")
    host.send("[1]")
    host.prints("poll 1", "end: -5 1 0 'the host sent JSON that is not a message' -")
    host.prints("end: -2 1 0 'the host has closed the connection' -")
    assert host.end() == 0


def long(host):
    host.start()
    host.prints("none: 0", "ready")
    host.send("{" + " " * 65536)
    host.prints("poll 1", "end: -5 1 0 'the host sent a line that is too long' -")
    host.prints("end: -2 1 0 'the host has closed the connection' -")
    assert host.end() == 0


def version(host):
    error = host.start(protocolVersions=[2, "1", 11])["error"]
    assert error["code"] == 4004 and error["data"] == {"spoken": [1]}, error
    host.prints("-4004 0 'the host does not support version 1 of the protocol'")
    assert host.end() == 1


def ring(host):
    struct.pack_into("<I", host.ring.memory, 48, 1 << 20)
    host.start()
    host.prints("-5 0 'the format of a frame ring is invalid'")
    assert host.end() == 1


SCENARIOS = {"garbage": "events", "long": "events", "version": "requests", "ring": "requests", "signals": "session"}


def main():
    scenario, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="darkroom-c-sdk-") as directory:
        devices = scenario not in ("errors", "closed")
        globals()[scenario](Host(SCENARIOS.get(scenario, scenario), program, directory, devices))


main()
