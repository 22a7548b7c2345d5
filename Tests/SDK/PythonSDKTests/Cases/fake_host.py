# SPDX-License-Identifier: Apache-2.0
"""A host in this process, which implements only the protocol document. It answers requests in a thread."""

import json
import mmap
import os
import select
import struct
import tempfile
import threading
import time
from unittest import mock

WIDTH, HEIGHT, SLOTS = 7, 5, 4
CHROMA_WIDTH, CHROMA_HEIGHT = (WIDTH + 1) // 2, (HEIGHT + 1) // 2
#: The rows have padding, as those of large cameras.
STRIDE, CHROMA_STRIDE = 16, 8
SLOT = 4096
PLANES = [
    (64, STRIDE, HEIGHT, WIDTH),
    (64 + STRIDE * HEIGHT, CHROMA_STRIDE, CHROMA_HEIGHT, CHROMA_WIDTH),
    (64 + STRIDE * HEIGHT + CHROMA_STRIDE * CHROMA_HEIGHT, CHROMA_STRIDE, CHROMA_HEIGHT, CHROMA_WIDTH),
]


class Ring:
    """A ring in a memory file."""

    def __init__(self, magic, header, slot_bytes):
        self.descriptor = os.memfd_create("ring")
        os.ftruncate(self.descriptor, 4096 + SLOTS * slot_bytes)
        self.memory = mmap.mmap(self.descriptor, 0)
        self.slot_bytes = slot_bytes
        struct.pack_into("<4s4I", self.memory, 0, magic, 1, 4096, SLOTS, slot_bytes)
        struct.pack_into(f"<{len(header)}I", self.memory, 20, *header)

    def number(self, offset):
        return struct.unpack_from("<Q", self.memory, offset)[0]

    def set_number(self, offset, value):
        struct.pack_into("<Q", self.memory, offset, value)

    def slot(self, sequence):
        return 4096 + (sequence - 1) % SLOTS * self.slot_bytes


def frame_ring():
    """Returns a ring of frames."""
    ring = Ring(b"DKFR", [WIDTH, HEIGHT, 1, 30, 1, 3], SLOT)
    for index, plane in enumerate(PLANES):
        struct.pack_into("<4I", ring.memory, 48 + 16 * index, *plane)
    return ring


def sample(sequence, plane, row, column):
    """Returns a sample of a frame of the camera."""
    return (sequence * 31 + plane * 97 + row * 13 + column * 5) % 256


def write_frame(ring, sequence, publish=True):
    """Writes a frame of the camera."""
    slot = ring.slot(sequence)
    ring.set_number(slot, 0)
    ring.set_number(slot + 8, 1000 + sequence)
    for plane, (offset, stride, rows, length) in enumerate(PLANES):
        for row in range(rows):
            begin = slot + offset + row * stride
            ring.memory[begin : begin + length] = bytes(sample(sequence, plane, row, column) for column in range(length))
    ring.set_number(slot, sequence)
    if publish:
        ring.set_number(128, sequence)


class Host:
    """A host with a session.

    `results` has the result of requests, and `errors` the error, by method. Other requests have an empty result.
    """

    def __init__(self, camera=True, preview=True, microphone=True, **fields):
        self.directory = tempfile.mkdtemp(prefix="darkroom-python-")
        extension_in, self.to_extension = os.pipe()
        self.from_extension, extension_out = os.pipe()
        self.messages = []
        self.results, self.errors, self.silent = {}, {}, set()
        self.frames, self.preview = frame_ring(), frame_ring()
        self.sound = Ring(b"DKSR", [48000, 2, 1, 8], 128)
        names = ["host-in", "host-out"]
        descriptors = [extension_in, extension_out]
        self.events = {}
        rings = [("frame", self.frames)] * camera + [("preview", self.preview)] * preview + [("sound", self.sound)] * microphone
        for name, ring in rings:
            names += [{"frame": "frames"}.get(name, name), f"{name}-event"]
            self.events[f"{name}-event"] = os.eventfd(0)
            descriptors += [ring.descriptor, self.events[f"{name}-event"]]
            if name != "preview":
                names.append(f"{name}-done")
                self.events[f"{name}-done"] = os.eventfd(0, os.EFD_NONBLOCK)
                descriptors.append(self.events[f"{name}-done"])
        # The session closes its descriptors; the host keeps its own.
        self.descriptors = {name: os.dup(descriptor) for name, descriptor in zip(names, descriptors)}
        os.close(extension_in)
        os.close(extension_out)
        self.start = {"protocolVersions": [1], "sessionID": "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11", "app": "org.example.camera"}
        self.start |= {"extension": "org.example.camera.capture", "sessionDirectory": self.directory}
        self.start |= {"containerDirectory": "/container", "extensionDirectory": "/extension", "appContext": {"flash": "off"}}
        self.start |= {"lockState": "locked", "deadlines": {"launch": 10, "dismissal": 2.5, "watchdog": None}, "future": 1}
        self.start["permissions"] = {name: "authorized" for name in ("camera", "microphone", "photos")}
        stream = {"width": WIDTH, "height": HEIGHT, "format": "i420", "frameRate": [30, 1], "name": "Test pattern"}
        self.start["camera"] = stream if camera else None
        self.start |= fields
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def patch(self):
        """Returns a context in which sessions take the descriptors of this host."""
        return mock.patch("darkroom.core.passed_descriptors", lambda: self.descriptors)

    def __enter__(self):
        self.patcher = self.patch()
        self.patcher.start()
        self.send(id=1, method="session/start", params=self.start)
        self.thread.start()
        return self

    def __exit__(self, *arguments):
        self.patcher.stop()
        self.close()

    def close(self):
        """Exits: closes the pipe to the extension."""
        if self.to_extension is not None:
            os.close(self.to_extension)
            self.to_extension = None

    def send(self, **message):
        os.write(self.to_extension, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def press(self, button="primary", phase="began"):
        self.notify("capture/event", button=button, phase=phase, source="button", id=1)

    def dismiss(self):
        self.notify("session/willDismiss", reason="person", grace=2)

    def publish(self, *sequences):
        for sequence in sequences:
            write_frame(self.frames, sequence)
        os.eventfd_write(self.events["frame-event"], len(sequences))

    def finished(self):
        """Returns the number of frames that the extension finished since the previous call."""
        try:
            return os.eventfd_read(self.events["frame-done"])
        except BlockingIOError:
            return 0

    def serve(self):
        """Reads the messages of the extension, and answers its requests."""
        pending = b""
        while data := os.read(self.from_extension, 65536):
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                message = json.loads(line)
                self.answer(message)
                with self.changed:
                    self.messages.append(message)
                    self.changed.notify_all()

    def answer(self, message):
        method = message.get("method")
        if method is None or "id" not in message or method in self.silent or self.to_extension is None:
            return
        if method in self.errors:
            self.send(id=message["id"], error=self.errors[method])
        else:
            self.send(id=message["id"], result=self.results.get(method, {}))

    def wait_for(self, method):
        """Waits for a message of the extension, and returns its parameters."""
        limit = time.monotonic() + 20
        with self.changed:
            while time.monotonic() < limit:
                for message in self.messages:
                    if message.get("method") == method:
                        return message.get("params")
                self.changed.wait(0.1)
        raise AssertionError(f"no {method} in {self.messages}")

    def shown(self):
        """Waits until the extension displays a frame, and returns the sequence number in the viewfinder."""
        if not select.select([self.events["preview-event"]], [], [], 20)[0]:
            raise AssertionError("no frame is displayed")
        os.eventfd_read(self.events["preview-event"])
        return self.preview.number(128)
