#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Runs an example extension like a host, without a sandbox, and checks the results.

The script implements only the protocol document, and shares no code with Darkroom.
usage: fake_host.py SCENARIO PROGRAM [ARGUMENT...]
"""

import fcntl
import json
import mmap
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

HEADER_BYTES, SLOTS, WIDTH, HEIGHT = 4096, 4, 33, 17
LUMA = WIDTH * HEIGHT
CHROMA = ((WIDTH + 1) // 2) * ((HEIGHT + 1) // 2)
STRIDE = (64 + LUMA + 2 * CHROMA + 4095) // 4096 * 4096


def luma(sequence):
    """Returns the Y plane of a frame, which is different for each frame."""
    return bytes((sequence * 7 + index * 3) % 256 for index in range(LUMA))


class Ring:
    """The host's side of a frame ring or of a viewfinder's ring."""

    def __init__(self):
        self.descriptor = os.memfd_create("frames", os.MFD_CLOEXEC)
        os.ftruncate(self.descriptor, HEADER_BYTES + SLOTS * STRIDE)
        self.memory = mmap.mmap(self.descriptor, 0)
        struct.pack_into("<4s10I", self.memory, 0, b"DKFR", 1, HEADER_BYTES, SLOTS, STRIDE, WIDTH, HEIGHT, 1, 30, 1, 3)
        chroma_row, chroma_rows = (WIDTH + 1) // 2, (HEIGHT + 1) // 2
        planes = [(64, WIDTH, HEIGHT, WIDTH)]
        planes += [(64 + LUMA + n * CHROMA, chroma_row, chroma_rows, chroma_row) for n in (0, 1)]
        for index, plane in enumerate(planes):
            struct.pack_into("<4I", self.memory, 48 + 16 * index, *plane)

    def publish(self, sequence):
        slot = self.slot(sequence)
        struct.pack_into("<Q", self.memory, slot, 0)
        struct.pack_into("<Q", self.memory, slot + 8, time.monotonic_ns())
        self.memory[slot + 64 : slot + 64 + LUMA] = luma(sequence)
        struct.pack_into("<Q", self.memory, slot, sequence)
        struct.pack_into("<Q", self.memory, 128, sequence)

    def slot(self, sequence):
        """Returns the offset of a frame's slot."""
        return HEADER_BYTES + (sequence - 1) % SLOTS * STRIDE

    def number(self, offset):
        return struct.unpack_from("<Q", self.memory, offset)[0]

    def bytes_of(self, sequence):
        return self.memory[self.slot(sequence) : self.slot(sequence) + STRIDE]


class Host:
    """One session with one extension."""

    def __init__(self, command, directory):
        self.directory = directory
        self.ring = Ring()
        self.viewfinder = Ring()
        self.drawn = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self.event = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self.done = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        child_in, self.to_child = os.pipe()
        self.from_child, child_out = os.pipe()
        self.pending = b""
        passed = {"host-in": child_in, "host-out": child_out, "frames": self.ring.descriptor}
        passed |= {"frame-event": self.event, "frame-done": self.done}
        passed |= {"preview": self.viewfinder.descriptor, "preview-event": self.drawn}
        # Duplicates with high numbers, so that dup2(2) to the final number closes none of the others.
        high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 100) for descriptor in passed.values()]
        actions = [(os.POSIX_SPAWN_DUP2, descriptor, 3 + index) for index, descriptor in enumerate(high)]
        environment = {"PATH": "/usr/bin:/bin", "LISTEN_FDS": str(len(passed)), "LISTEN_FDNAMES": ":".join(passed)}
        environment["DARKROOM_SESSION_DIR"] = directory
        shell = ["/bin/sh", "-c", 'LISTEN_PID=$$; export LISTEN_PID; exec "$@"', "sh", *command]
        self.process = os.posix_spawn(shell[0], shell, environment, file_actions=actions, setsid=True)
        for descriptor in [*high, child_in, child_out]:
            os.close(descriptor)

    def send(self, text):
        os.write(self.to_child, text.encode() + b"\n")

    def notify(self, method, **params):
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}, separators=(",", ":")))

    def event_of(self, button, phase="began"):
        self.notify("capture/event", button=button, phase=phase)

    def receive(self):
        """Returns the next message, or None at end of file."""
        while b"\n" not in self.pending:
            if not select.select([self.from_child], [], [], 20)[0]:
                sys.exit("the extension says nothing")
            data = os.read(self.from_child, 65536)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    def expect(self, check, what):
        """Reads messages until a message passes the check, and returns the message."""
        while (line := self.receive()) is not None:
            message = json.loads(line)
            if check(message):
                return message
        sys.exit(f"the extension ended without {what}")

    def start(self, context=None, camera=True, versions=(1,), container="/container"):
        """Starts the session and returns the reply."""
        stream = {"width": WIDTH, "height": HEIGHT, "format": "i420", "frameRate": [30, 1], "name": "a \"test\""}
        params = {"protocolVersions": list(versions), "sessionID": "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11"}
        params |= {"app": "org.darkroom.sample", "extension": "org.darkroom.sample.x"}
        params |= {"sessionDirectory": self.directory, "containerDirectory": container}
        params |= {"extensionDirectory": "/extension", "appContext": context, "lockState": "locked"}
        params |= {"permissions": {name: "authorized" for name in ("camera", "microphone", "photos")}}
        params |= {"deadlines": {"launch": 10, "dismissal": 2.5}, "camera": stream if camera else None}
        message = {"jsonrpc": "2.0", "id": 1, "method": "session/start", "params": params}
        self.send(json.dumps(message, separators=(",", ":")))
        return self.expect(lambda message: message.get("id") == 1 and "method" not in message, "an answer")

    def answer(self, method, **result):
        """Waits for a request and sends the reply."""
        request = self.expect(lambda message: message.get("method") == method, method)
        self.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}, separators=(",", ":")))

    def frame(self, *sequences):
        """Publishes several frames at once, and waits until the extension has finished using them."""
        for sequence in sequences:
            self.ring.publish(sequence)
        os.eventfd_write(self.event, len(sequences))
        finished = 0
        while finished < len(sequences):
            if not select.select([self.done], [], [], 20)[0]:
                sys.exit("the extension does not finish with its frames")
            finished += os.eventfd_read(self.done)
        assert finished == len(sequences), f"{finished} of {len(sequences)} frames are done"

    def end(self, dismissal=True):
        """Dismisses the extension, or closes its input, and returns its exit code."""
        if dismissal:
            self.notify("session/willDismiss", reason="person", grace=2)
        else:
            os.close(self.to_child)
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
        os.kill(self.process, signal.SIGKILL)
        sys.exit("the extension does not end")

    def contents(self, name):
        with open(f"{self.directory}/{name}", "rb") as file:
            return file.read()

    def wait_for(self, name, lines):
        """Waits until a file has at least a number of lines."""
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            if os.path.exists(f"{self.directory}/{name}") and self.contents(name).count(b"\n") >= lines:
                return
            time.sleep(0.005)
        sys.exit(f"{name} does not come")


def camera(host):
    """Answers the initial requests of an extension with a camera, in any order."""
    wanted = {"camera/start", "capture/subscribe"}
    while wanted:
        request = host.expect(lambda message: message.get("method") in wanted, f"{wanted}")
        wanted.remove(request["method"])
        result = {"width": WIDTH, "height": HEIGHT, "format": "i420", "frameRate": [30, 1], "slots": SLOTS}
        result = result if request["method"] == "camera/start" else {}
        host.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}, separators=(",", ":")))


def pgm(sequence):
    return b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + luma(sequence)


def frame_logger(host):
    trap = {"method": "session/willDismiss", "text": 'a "quoted\\" {[ é'}
    assert host.start(context=trap)["result"] == {"protocolVersion": 1}
    camera(host)
    host.event_of("primary")
    # A round trip, so that the extension handles the press before the first frame.
    host.send('{"jsonrpc":"2.0","id":"later","method":"lock/changed","params":{}}')
    assert host.expect(lambda m: m.get("id") == "later", "an answer")["error"]["code"] == -32601
    host.frame(1)
    host.frame(2)
    host.frame(3, 4, 5)
    host.event_of("secondary")
    host.event_of("primary", "ended")
    host.event_of("primary")
    assert host.end() == 0
    rows = [line.split(",") for line in host.contents("frames.csv").decode().splitlines()]
    assert rows[0] == ["sequence", "timestamp_ns", "mean_luma", "dropped"]
    means = {n: f"{sum(luma(n)) / LUMA:.3f}" for n in (1, 2, 5)}
    found = [(int(row[0]), row[2], int(row[3])) for row in rows[1:]]
    assert found == [(1, means[1], 0), (2, means[2], 0), (5, means[5], 2)], found
    assert host.contents("capture-1.pgm") == pgm(1)
    assert host.contents("capture-2.pgm") == pgm(5)
    assert sorted(os.listdir(host.directory)) == ["capture-1.pgm", "capture-2.pgm", "frames.csv"]


def notes(host):
    trap = {"method": "capture/event", "params": {"button": "primary", "phase": "began"}}
    assert host.start(context=trap, camera=False)["result"] == {"protocolVersion": 1}
    host.answer("capture/subscribe")
    host.notify("context/changed", context={"jsonrpc": "2.0", "method": "session/willDismiss"})
    host.event_of("primary")
    host.event_of("secondary")
    host.event_of("primary", "ended")
    host.event_of("primary")
    host.send('{"jsonrpc":"2.0","id":"x\\\\y","method":"later","params":{}}')
    answer = host.expect(lambda m: "error" in m, "an answer")
    assert answer["id"] == "x\\y" and answer["error"]["code"] == -32601, answer
    assert host.end(dismissal=False) == 0
    lines = host.contents("notes.txt").decode().splitlines()
    assert len(lines) == 2
    for line in lines:
        time.strptime(line.split()[0], "%Y-%m-%dT%H:%M:%SZ")


def timelapse(host):
    host.start(context={"every": 3, "format": "pgm", "other": [1]})
    camera(host)
    for sequence in range(1, 6):
        host.frame(sequence)
    host.notify("context/changed", context={"format": "png", "every": True})
    host.send('{"jsonrpc":"2.0","id":9,"method":"later"}')
    assert host.expect(lambda m: m.get("id") == 9, "an answer")["error"]["code"] == -32601
    host.frame(6, 7, 8)
    assert host.end() == 0
    assert sorted(os.listdir(host.directory)) == ["frame-00000001.pgm", "frame-00000004.pgm", "frame-00000008.png"]
    assert host.contents("frame-00000001.pgm") == pgm(1)
    assert host.contents("frame-00000004.pgm") == pgm(4)
    path = f"{host.directory}/frame-00000008.png"
    command = ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == luma(8)


def misbehaving(host):
    host.start(context="leave=fifo leave=symlink protocol=garbage", camera=False)
    assert host.receive() == b"this is not JSON"
    assert host.end() == 0
    assert sorted(os.listdir(host.directory)) == ["fifo", "symlink"]


def misbehaving_exit(host):
    host.start(context="exit=7", camera=False)
    assert host.receive() is None
    assert host.end(dismissal=False) == 7


def misbehaving_version(host):
    assert host.start(context="version", camera=False)["result"] == {"protocolVersion": 99}
    assert host.end() == 0


def refuses_version(host):
    """Checks that the extension refuses a host with only later protocol versions."""
    error = host.start(versions=(2, 11))["error"]
    assert error["code"] == 4004 and error["data"] == {"spoken": [1]}, error
    assert host.end(dismissal=False) in (0, 1)
    assert os.listdir(host.directory) == []


def viewfinder(host):
    """Checks that the extension does not overwrite a viewfinder frame while the host displays the frame."""
    container = f"{host.directory}/container"
    os.mkdir(container)
    host.start(container=container)
    camera(host)
    shown, numbers = host.viewfinder, []
    for sequence in range(1, 16):
        host.ring.publish(sequence)
        os.eventfd_write(host.event, 1)
        # Some extensions display only the first frame and captured frames.
        if sequence > 1:
            host.event_of("primary")
        assert select.select([host.drawn], [], [], 20)[0], f"frame {sequence} is not shown"
        os.eventfd_read(host.drawn)
        number = shown.number(128)
        numbers.append(number)
        assert shown.number(shown.slot(number)) == number, f"frame {number} is not in its slot"
        assert shown.bytes_of(number)[64 : 64 + LUMA] == luma(sequence), f"frame {number} is not the camera's"
        if sequence == 2:
            struct.pack_into("<Q", shown.memory, 136, 2)
            held = shown.bytes_of(2)
        elif sequence < 10:
            assert sequence == 1 or shown.bytes_of(2) == held, f"frame 2 is drawn over by frame {number}"
        elif sequence == 10:
            struct.pack_into("<Q", shown.memory, 136, 0)
    assert numbers == [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17], numbers
    assert host.end() == 0


def overwritten(host):
    """Checks that the extension does not display a frame that the camera overwrote during the copy."""
    host.start()
    camera(host)
    host.frame(1)
    shown = host.viewfinder
    before = shown.bytes_of(1)
    for sequence in range(2, 8):
        struct.pack_into("<Q", host.ring.memory, host.ring.slot(sequence), 0)
        struct.pack_into("<Q", host.ring.memory, 128, sequence)
        os.eventfd_write(host.event, 1)
        assert select.select([host.done], [], [], 20)[0], f"frame {sequence} is not done"
        os.eventfd_read(host.done)
        assert shown.number(128) == 1, f"frame {sequence} is shown, and is none"
        assert shown.bytes_of(1) == before, "the frame that the host can show at any time is drawn over"
    host.frame(8)
    assert shown.number(128) == 2 and shown.bytes_of(2)[64 : 64 + LUMA] == luma(8)
    assert host.end() == 0


def shutter(host):
    """Checks that the extension shows each frame, and saves one PNG image for each press of the primary button."""
    assert host.start()["result"] == {"protocolVersion": 1}
    camera(host)
    for sequence in range(1, SLOTS + 1):
        # Chroma without color, so that the images are gray.
        chroma = host.ring.slot(sequence) + 64 + LUMA
        host.ring.memory[chroma : chroma + 2 * CHROMA] = b"\x80" * (2 * CHROMA)
    for sequence in range(1, 5):
        if sequence in (2, 4):
            host.event_of("primary")
            host.event_of("primary", "ended")
            host.event_of("secondary")
        host.frame(sequence)
        # Only a program that handles the signal notices it, such as the runtime of Go.
        for _ in range(50):
            os.kill(host.process, signal.SIGURG)
        assert host.viewfinder.number(128) == sequence
        assert host.viewfinder.bytes_of(sequence)[64 : 64 + LUMA] == luma(sequence)
    assert host.end() == 0
    assert sorted(os.listdir(host.directory)) == ["photo-1.png", "photo-2.png"]
    for number, sequence in ((1, 2), (2, 4)):
        path = f"{host.directory}/photo-{number}.png"
        command = ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        pixels = subprocess.run(command, capture_output=True, check=True).stdout
        assert pixels == bytes(value for value in luma(sequence) for _ in range(3)), f"{path} is not frame {sequence}"


def recorder(command, directory):
    """Checks a program without the protocol that reads frames from standard input."""
    frames = [luma(n) + bytes(2 * CHROMA) for n in range(10)]
    stream = b"YUV4MPEG2 W%d H%d F30:1 Ip A1:1 C420jpeg\n" % (WIDTH, HEIGHT)
    stream += b"".join(b"FRAME\n" + frame for frame in frames)
    environment = {"PATH": "/usr/bin:/bin", "DARKROOM_SESSION_DIR": directory}
    subprocess.run(command, input=stream, env=environment, check=True, timeout=30)
    decode = ["ffmpeg", "-v", "error", "-i", f"{directory}/recording.mkv", "-f", "rawvideo", "-"]
    assert subprocess.run(decode, capture_output=True, check=True).stdout == b"".join(frames)
    assert os.listdir(directory) == ["recording.mkv"]


def main():
    scenario, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="darkroom-plugin-") as directory:
        if scenario == "recorder":
            recorder(command, directory)
        else:
            globals()[scenario](Host(command, directory))


if __name__ == "__main__":
    main()
