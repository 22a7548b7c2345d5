#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Keeps every Nth frame of the camera as a grey picture. The standard library is all it needs."""

import argparse
import json
import mmap
import os
import select
import struct
import sys
import zlib

PROTOCOL_VERSION = 1
FIRST_DESCRIPTOR = 3
HEADER_BYTES = 4096
PUBLISHED = 128
PLANE_Y = 48


class Ring:
    """The frame ring in shared memory."""

    def __init__(self, descriptor):
        self.memory = mmap.mmap(descriptor, 0, mmap.MAP_SHARED, mmap.PROT_READ)
        fields = struct.unpack_from("<4s8I", self.memory, 0)
        magic, version, header, self.slots, self.stride, self.width, self.height, pixels, _ = fields
        if (magic, version, header, pixels) != (b"DKFR", 1, HEADER_BYTES, 1):
            raise ValueError("the frame format is unknown")
        self.offset, self.row_stride = struct.unpack_from("<2I", self.memory, PLANE_Y)

    def number(self, offset):
        """Returns a 64-bit integer, which the host may be writing."""
        return struct.unpack_from("<Q", self.memory, offset)[0]

    def newest(self):
        """Returns the sequence number of the newest frame, or 0 before the first."""
        return self.number(PUBLISHED)

    def luma(self, sequence):
        """Returns the rows of a frame's Y plane, or None if the host has started to overwrite it."""
        slot = HEADER_BYTES + (sequence - 1) % self.slots * self.stride
        if self.number(slot) != sequence:
            return None
        begin = slot + self.offset
        plane = self.memory[begin : begin + self.row_stride * (self.height - 1) + self.width]
        if self.number(slot) != sequence:
            return None
        return [plane[row * self.row_stride :][: self.width] for row in range(self.height)]


def pgm(width, height, rows):
    """Encodes a picture as pgm(5)."""
    return b"P5\n%d %d\n255\n" % (width, height) + b"".join(rows)


def png(width, height, rows):
    """Encodes a picture as PNG: 8-bit grayscale, no filter."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


FORMATS = {"pgm": pgm, "png": png}


class Timelapse:
    """A session."""

    def __init__(self, descriptors, options):
        self.descriptors = descriptors
        self.every = options.every
        self.format = options.format
        self.ring = None
        self.directory = None
        self.last = 0
        self.saved = 0
        self.pressed = False
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
        """Answers session/start and requests frames and events."""
        if PROTOCOL_VERSION not in params["protocolVersions"]:
            error = {"code": 4004, "message": "only version 1 is supported", "data": {"spoken": [1]}}
            self.send(id=identifier, error=error)
            self.ended = True
            return
        self.send(id=identifier, result={"protocolVersion": PROTOCOL_VERSION})
        self.directory = params["sessionDirectory"]
        self.apply(params.get("appContext"))
        self.ask("capture/subscribe")
        if params.get("camera") is None or "frames" not in self.descriptors:
            self.tell("notice", "this session has no camera")
            return
        self.ring = Ring(self.descriptors["frames"])
        self.ask("camera/start", delivery="latest")

    def apply(self, context):
        """Applies the settings in the app context; invalid values are ignored."""
        if not isinstance(context, dict):
            return
        every = context.get("every")
        if isinstance(every, int) and not isinstance(every, bool) and every > 0:
            self.every = every
        if context.get("format") in FORMATS:
            self.format = context["format"]

    def handle(self, message):
        """Handles a message from the host."""
        method, params = message.get("method"), message.get("params", {})
        if method == "session/start":
            self.start(message["id"], params)
        elif method == "session/willDismiss":
            self.ended = True
        elif method == "capture/event":
            self.pressed |= params["button"] == "primary" and params["phase"] == "began"
        elif method == "context/changed":
            self.apply(params["context"])
        elif method is None and "error" in message:
            print(f"timelapse.py: the host refused a request: {message['error']}", file=sys.stderr)
        elif method is not None and "id" in message:
            self.send(id=message["id"], error={"code": -32601, "message": "unknown method"})

    def take_frame(self):
        """Saves the newest frame if it is due, and reports the finished frames to the host."""
        os.read(self.descriptors["frame-event"], 8)
        if self.ring is None:
            return
        newest = self.ring.newest()
        if newest <= self.last:
            return
        due = self.saved == 0 or newest - self.saved >= self.every
        if (due or self.pressed) and (rows := self.ring.luma(newest)) is not None:
            self.save(newest, rows)
            if due:
                self.saved = newest
            self.pressed = False
        os.write(self.descriptors["frame-done"], struct.pack("<Q", newest - self.last))
        self.last = newest

    def save(self, sequence, rows):
        """Writes a picture under a temporary name, so that an interruption leaves no incomplete picture."""
        path = f"{self.directory}/frame-{sequence:08}.{self.format}"
        try:
            with open(path + ".part", "wb") as file:
                file.write(FORMATS[self.format](self.ring.width, self.ring.height, rows))
            os.rename(path + ".part", path)
        except OSError as error:
            # There may be no space left, and more later, so the next picture is attempted as well.
            self.tell("error", f"an image could not be written: {error.strerror}")
            return
        self.send(method="viewfinder/presented", params={"frame": sequence})

    def run(self):
        """Handles messages and frames until the session ends."""
        host_in, pending = self.descriptors["host-in"], b""
        watched = [host_in] + [self.descriptors[name] for name in ("frame-event",) if name in self.descriptors]
        while not self.ended:
            ready = select.select(watched, [], [])[0]
            if host_in in ready:
                data = os.read(host_in, 65536)
                if not data:
                    return
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    self.handle(json.loads(line))
            # A dismissal takes precedence over a frame, because the host limits the remaining time.
            if not self.ended and any(descriptor != host_in for descriptor in ready):
                self.take_frame()


def descriptors():
    """Returns the descriptors that the host passes, by name (sd_listen_fds(3))."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        sys.exit("timelapse.py: this program must be started by a host; install it and use darkroom run")
    names = os.environ.get("LISTEN_FDNAMES", "").split(":")[: int(os.environ.get("LISTEN_FDS", "0"))]
    return {name: FIRST_DESCRIPTOR + index for index, name in enumerate(names)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=30, help="keep every Nth frame")
    parser.add_argument("--format", choices=sorted(FORMATS), default="png", help="the format of the images")
    options = parser.parse_args()
    if options.every < 1:
        parser.error("--every requires a positive number")
    Timelapse(descriptors(), options).run()


if __name__ == "__main__":
    main()
