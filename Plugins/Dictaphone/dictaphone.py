#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Records the microphone as WAV files. The standard library is all it needs."""

import argparse
import json
import mmap
import os
import select
import struct
import sys

PROTOCOL_VERSION = 1
FIRST_DESCRIPTOR = 3
HEADER_BYTES = 4096
PUBLISHED = 128
SAMPLES = 64
# The maximum length of inserted silence in seconds; a longer gap is shortened.
LONGEST_GAP = 10


class Ring:
    """The sound ring in shared memory."""

    def __init__(self, descriptor):
        self.memory = mmap.mmap(descriptor, 0, mmap.MAP_SHARED, mmap.PROT_READ)
        fields = struct.unpack_from("<4s8I", self.memory, 0)
        magic, version, header, self.slots, self.stride, self.rate, self.channels, samples, _ = fields
        if (magic, version, header, samples) != (b"DKSR", 1, HEADER_BYTES, 1):
            raise ValueError("the sound format is unknown")
        self.frame_bytes = 2 * self.channels

    def number(self, offset):
        """Returns a 64-bit integer, which the host may be writing."""
        return struct.unpack_from("<Q", self.memory, offset)[0]

    def newest(self):
        """Returns the sequence number of the newest block, or 0 before the first."""
        return self.number(PUBLISHED)

    def block(self, sequence):
        """Returns the position of a block in sample frames and its samples, or None if it was overwritten."""
        slot = HEADER_BYTES + (sequence - 1) % self.slots * self.stride
        if self.number(slot) != sequence:
            return None
        position, frames = struct.unpack_from("<QI", self.memory, slot + 24)
        samples = self.memory[slot + SAMPLES : slot + SAMPLES + frames * self.frame_bytes]
        if self.number(slot) != sequence:
            return None
        return position, samples


class Recording:
    """A WAV file whose header is at most one second of sound behind if the process is killed."""

    def __init__(self, path, rate, channels):
        self.file = open(path, "wb")
        self.rate, self.channels = rate, channels
        self.bytes = self.said = 0
        self.write_header()

    def write_header(self):
        """Writes the header with the current size at the start of the file."""
        form = struct.pack("<HHIIHH", 1, self.channels, self.rate, self.rate * 2 * self.channels, 2 * self.channels, 16)
        header = struct.pack("<4sI4s4sI", b"RIFF", 36 + self.bytes, b"WAVE", b"fmt ", 16) + form
        self.file.seek(0)
        self.file.write(header + struct.pack("<4sI", b"data", self.bytes))
        self.file.seek(0, os.SEEK_END)
        self.file.flush()
        self.said = self.bytes

    def write(self, samples):
        """Appends samples."""
        self.file.write(samples)
        self.bytes += len(samples)
        if self.bytes - self.said >= self.rate * 2 * self.channels:
            self.write_header()

    def close(self):
        """Finishes the file."""
        self.write_header()
        self.file.close()


class Dictaphone:
    """A session: it records from its start, and starts a new file at each press of the primary button."""

    def __init__(self, descriptors, delivery):
        self.descriptors = descriptors
        self.delivery = delivery
        self.ring = None
        self.recording = None
        self.directory = None
        self.recordings = 0
        self.last = 0
        self.position = None
        self.seconds = None
        self.left = None
        self.leaving = False
        self.ended = False
        self.request = 0

    def send(self, **message):
        """Writes a message as one line; an exited host ends the session."""
        line = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")) + "\n"
        rest = line.encode()
        try:
            while rest:
                rest = rest[os.write(self.descriptors["host-out"], rest) :]
        except BrokenPipeError:
            self.ended = True

    def ask(self, method, **params):
        """Sends a request."""
        self.request += 1
        self.send(id=self.request, method=method, params=params)

    def tell(self, level, sentence):
        """Writes a message to the session log."""
        self.send(method="log", params={"level": level, "message": sentence})

    def start(self, identifier, params):
        """Answers session/start and requests sound and events."""
        if PROTOCOL_VERSION not in params["protocolVersions"]:
            error = {"code": 4004, "message": "only version 1 is supported", "data": {"spoken": [1]}}
            self.send(id=identifier, error=error)
            self.ended = True
            return
        self.send(id=identifier, result={"protocolVersion": PROTOCOL_VERSION})
        self.directory = params["sessionDirectory"]
        self.apply(params.get("appContext"))
        self.ask("capture/subscribe")
        if params.get("microphone") is None or "sound" not in self.descriptors:
            self.tell("notice", "this session has no microphone")
            return
        self.ring = Ring(self.descriptors["sound"])
        if self.seconds is not None:
            self.left = int(self.seconds * self.ring.rate) * self.ring.frame_bytes
        self.ask("microphone/start", delivery=self.delivery)

    def apply(self, context):
        """Applies the settings in the app context; invalid values are ignored."""
        seconds = context.get("seconds") if isinstance(context, dict) else None
        if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0:
            self.seconds = seconds

    def handle(self, message):
        """Handles a message from the host."""
        method, params = message.get("method"), message.get("params", {})
        if method == "session/start":
            self.start(message["id"], params)
        elif method == "session/willDismiss":
            self.ended = True
        elif method == "microphone/ended":
            self.tell("notice", f"the recording has ended: {params['reason']}")
            self.finish()
            self.leave()
        elif method == "permission/changed" and params["permissions"]["microphone"] != "authorized":
            self.finish()
        elif method == "capture/event" and (params["button"], params["phase"]) == ("primary", "began"):
            self.finish()
        elif method is None and "error" in message:
            print(f"dictaphone.py: the host refused a request: {message['error']}", file=sys.stderr)
        elif method is not None and "id" in message:
            self.send(id=message["id"], error={"code": -32601, "message": "unknown method"})

    def listen(self):
        """Resets the eventfd and handles the published blocks."""
        os.read(self.descriptors["sound-event"], 8)
        self.take()

    def take(self):
        """Records the published blocks, and reports the finished ones to the host."""
        if self.ring is None:
            return
        newest = self.ring.newest()
        before = self.last
        # Older blocks were overwritten.
        self.last = max(self.last, newest - self.ring.slots)
        while self.last < newest:
            self.last += 1
            if not self.leaving and (block := self.ring.block(self.last)) is not None:
                self.record(*block)
        if self.last > before:
            os.write(self.descriptors["sound-done"], struct.pack("<Q", self.last - before))

    def record(self, position, samples):
        """Appends a block; lost sound is replaced by silence to preserve the timing."""
        if self.recording is None:
            self.recordings += 1
            path = f"{self.directory}/recording-{self.recordings}.wav"
            self.recording = Recording(path, self.ring.rate, self.ring.channels)
            self.position = position
        lost = position - self.position
        self.position = position + len(samples) // self.ring.frame_bytes
        if lost:
            self.tell("notice", f"{lost} sample frames are missing")
            samples = bytes(min(lost, LONGEST_GAP * self.ring.rate) * self.ring.frame_bytes) + samples
        if self.left is not None:
            samples = samples[: self.left]
            self.left -= len(samples)
        self.recording.write(samples)
        if self.left == 0:
            self.leave()

    def leave(self):
        """Ends the session, once."""
        if not self.leaving:
            self.leaving = True
            self.ask("session/dismiss")

    def finish(self):
        """Finishes the file after recording the published blocks."""
        self.take()
        if self.recording is not None:
            self.recording.close()
            self.recording = None

    def run(self):
        """Handles messages and sound until the session ends."""
        host_in, pending = self.descriptors["host-in"], b""
        watched = [host_in] + [self.descriptors[name] for name in ("sound-event",) if name in self.descriptors]
        while not self.ended:
            ready = select.select(watched, [], [])[0]
            if host_in in ready:
                data = os.read(host_in, 65536)
                if not data:
                    break
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    self.handle(json.loads(line))
            # A dismissal takes precedence over sound, because the host limits the remaining time.
            if not self.ended and any(descriptor != host_in for descriptor in ready):
                self.listen()
        self.finish()


def descriptors():
    """Returns the descriptors that the host passes, by name (sd_listen_fds(3))."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        sys.exit("dictaphone.py: this program must be started by a host; install it and use darkroom run")
    names = os.environ.get("LISTEN_FDNAMES", "").split(":")[: int(os.environ.get("LISTEN_FDS", "0"))]
    return {name: FIRST_DESCRIPTOR + index for index, name in enumerate(names)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--delivery", choices=("latest", "every"), default="latest", help="the delivery if this program is slow"
    )
    options = parser.parse_args()
    Dictaphone(descriptors(), options.delivery).run()


if __name__ == "__main__":
    main()
