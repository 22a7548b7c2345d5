# SPDX-License-Identifier: Apache-2.0
"""The sound of sessions, the lists of devices, the passcode, and images of viewfinders."""

import os
import struct

import interface_check
from fake_server import OTHER, SESSION, record

SLOTS, STRIDE, LEAD = 4, 128, 700
INFO = {"opened": True, "sampleRate": 8000, "channels": 2, "blockFrames": 3, "bytes": 4096 + SLOTS * STRIDE}
INFO |= {"clockLead": LEAD}


class Sound:
    """The memory file of a sound ring with blocks of three frames."""

    def __init__(self, magic=b"DKSR"):
        self.descriptor = os.memfd_create("sound", os.MFD_CLOEXEC)
        os.ftruncate(self.descriptor, INFO["bytes"])
        os.pwrite(self.descriptor, struct.pack("<4s8I", magic, 1, 4096, SLOTS, STRIDE, 8000, 2, 1, 3), 0)

    def write(self, *sequences):
        """Writes blocks, and publishes them."""
        for sequence in sequences:
            slot = 4096 + (sequence - 1) % SLOTS * STRIDE
            os.pwrite(self.descriptor, struct.pack("<6h", *range(sequence, sequence + 6)), slot + 64)
            fields = struct.pack("<4QI", sequence, LEAD + sequence, 0, (sequence - 1) * 3, 3)
            os.pwrite(self.descriptor, fields, slot)
            os.pwrite(self.descriptor, struct.pack("<Q", sequence), 128)

    def erase(self):
        """Erases all blocks, as after the permission is revoked."""
        os.pwrite(self.descriptor, bytes(SLOTS * STRIDE), 4096)


def block(sequence, lost=0):
    """Returns the line that the program prints about a block."""
    samples = f"{sequence} {sequence + 5}"
    return f"block at {sequence} position {(sequence - 1) * 3} lost {lost}: 8000 2 3 samples {samples}"


def open_sound(server, session, info=INFO, magic=b"DKSR", descriptors=1):
    """Answers `sound/open`, and returns the memory file."""
    memory = Sound(magic)
    identifier = server.expect("sound/open", session=session)
    interface_check.check_result("sound/open", info)
    record("sound/open", info)
    server.send(server.reply(identifier, info), descriptors=[memory.descriptor] * descriptors)
    return memory


def more(server, identifier, published):
    """Returns the response about a new block."""
    result = {"more": True, "published": published}
    interface_check.check_result("sound/next", result)
    record("sound/next", result)
    return server.reply(identifier, result)


def sound(server):
    result = server.launch()
    server.order("descriptors", "descriptors 8")
    server.order("read 0", "read: 0")
    memory = open_sound(server, SESSION)
    server.order("next", "next: 0")
    identifier = server.expect("sound/next", session=SESSION, after=0)
    # The descriptor of the memory file is closed after mmap(2).
    server.order("descriptors", "descriptors 8")
    memory.write(1, 2)
    server.send(more(server, identifier, 2))
    server.order("next", "event 104 session 1")
    server.order("read 0", block(1))
    server.order("read 0", block(2))
    server.order("read 0", "read: 0")
    identifier = server.expect("sound/next", session=SESSION, after=2)
    read_later(server, memory, identifier)
    end_sound(server, memory, result)
    refuse_sound(server)


def read_later(server, memory, identifier):
    """Reads blocks that are in memory before their message, that were overwritten, and that were erased."""
    memory.write(3)
    server.order("read 0", block(3))
    # The event is dropped, because the program has read the block already.
    server.send(more(server, identifier, 3))
    server.order("next", "next: 0")
    memory.write(*range(4, 10))
    for sequence in range(6, 10):
        server.order("read 0", block(sequence, lost=6 if sequence == 6 else 0))
    memory.write(10)
    memory.erase()
    server.order("read 20000")
    identifier = server.expect("sound/next", session=SESSION, after=10)
    memory.write(11)
    server.send(more(server, identifier, 11))
    server.prints(block(11, lost=3))
    server.order("next", "next: 0")


def end_sound(server, memory, result):
    server.order("read 20000")
    identifier = server.expect("sound/next", session=SESSION, after=11)
    # The last block is read before the end is reported.
    memory.write(12)
    outcome = {"kind": "completed", "exitCode": 0}
    end = {"more": False}
    record("sound/next", end)
    server.send(
        server.reply(identifier, end),
        server.event(SESSION, "ended", outcome=outcome),
        {"jsonrpc": "2.0", "id": result, "error": {"code": -32000, "message": "m", "data": {"kind": "store"}}},
    )
    server.prints(block(12))
    server.order("read 20000", "read: -2 'the session has no further sound'")
    server.order("next", "event 105 session 1")
    server.order("next", "event 8 session 1")
    server.order("next", "event 103 session 1")


def refuse_sound(server):
    """Opens sound that does not exist, that is unusable, and that the server refuses."""
    for case in ("none", "missing", "magic", "error"):
        server.order("launch")
        if case != "none":
            # The previous session is still running.
            server.answer("session/dismiss", session=OTHER)
        server.launch(OTHER)
        server.order("read 20000")
        if case == "none":
            open_sound(server, OTHER, {"opened": False}, descriptors=0)
            server.prints("read: -8 'the session has no microphone'")
        elif case == "missing":
            open_sound(server, OTHER, descriptors=0)
            server.prints("read: -5 'the server sent unusable sound'")
        elif case == "magic":
            open_sound(server, OTHER, magic=b"DKFR")
            server.prints("read: -5 'the header of a ring is invalid'")
        else:
            error = {"code": -32000, "message": "not yours", "data": {"kind": "notFound"}}
            server.answer("sound/open", error=error, session=OTHER)
            server.prints("read: -5019 'not yours'")
        server.order("next", "event 105 session 1")
        server.order("descriptors", "descriptors 8")
    assert server.end() is None


def devices(server):
    camera = {"camera": "/dev/video0", "name": "Webcam", "driver": "uvcvideo", "bus": "usb-1", "device": "d"}
    server.answer("device/listCameras", {"cameras": [camera, {"camera": "pipewire", "error": "no server"}]})
    server.answer("device/listMicrophones", {"microphones": [{"microphone": "alsa:hw:0", "description": "Built-in"}]})
    server.prints(
        "cameras: 2", "  /dev/video0: Webcam, uvcvideo, usb-1, d, -", "  pipewire: -, -, -, -, no server",
        "microphones: 1", "  alsa:hw:0: Built-in",
    )  # fmt: skip
    binding = {"key": "KEY_POWER:double", "app": "org.example.camera", "control": "shutter"}
    server.answer("control/bindings", {"bindings": [binding]})
    server.answer("control/bind", binding, key="KEY_CAMERA", app="org.example.camera", control="shutter")
    error = {"code": -32000, "message": "not bound", "data": {"kind": "argument"}}
    server.answer("control/unbind", error=error, key="KEY_CAMERA")
    server.prints("bindings: 1", "  KEY_POWER:double presses shutter of org.example.camera", "bind: 0")
    server.prints("unbind: -5015 'not bound'")
    refused = {"path": "/opt/models", "use": "execute", "allowed": False, "errno": "ENOENT", "layerNames": ["mount"]}
    allowed = {"path": "/usr", "use": "read", "allowed": True, "layerNames": [], "line": "base.json:3", "sentence": "s"}
    refused["sentence"] = "/opt/models cannot be run"
    server.answer("policy/access", refused, policy="strict", path="/opt/models", use="execute")
    server.answer("policy/access", allowed, policy="capture", path="/usr", use="read")
    server.prints("access: 0", "  /opt/models 3 ENOENT -: mount, /opt/models cannot be run", "access: 1")
    server.prints("access: -6 'the use of the path does not exist'")
    server.answer("passcode/get", {"set": True})
    server.answer("passcode/get", {"set": 1}, is_checked=False)
    server.answer("passcode/set", {"result": "failed"}, passcode="new secret")
    server.answer("passcode/set", {"result": "succeeded"}, passcode="new secret", current="old")
    server.answer("passcode/clear", {"result": "tooManyAttempts"}, current="old")
    server.answer("passcode/clear", {"result": "later"}, is_checked=False)
    text = "the server sent a result without a valid"
    server.prints("passcode: 1", f"passcode: -5 '{text} 'set''", "set: 2", "set: 1", "clear: 5")
    server.prints(f"clear: -5 '{text} 'result''", "descriptors 8")
    save_images(server)
    assert server.process.wait(20) == 0


def save_images(server):
    image = {"format": "png", "width": 64, "height": 48, "bytes": 9, "sequence": 3, "takenAt": 5}
    for name in ("a.png", "a.jpg", "none/a.jpeg"):
        memory = os.memfd_create("image", os.MFD_CLOEXEC)
        os.write(memory, b"the image")
        chosen = "png" if name == "a.png" else "jpeg"
        identifier = server.expect("viewfinder/image", session=SESSION, format=chosen)
        result = image | {"format": chosen}
        interface_check.check_result("viewfinder/image", result)
        server.send(server.reply(identifier, result), descriptors=[memory])
    server.prints("save: 0", "save: 0", "save: -4 'the file cannot be written: No such file or directory'")
    for name in ("a.png", "a.jpg"):
        assert open(f"{server.root}/{name}", "rb").read() == b"the image"
    server.answer("viewfinder/image", image, session=SESSION, format="png")
    error = {"code": -32000, "message": "no viewfinder", "data": {"kind": "viewfinder"}}
    server.answer("viewfinder/image", error=error, session=SESSION, format="png")
    server.prints(
        "save: -5 'the server passed no file'", "save: -5022 'no viewfinder'",
        "save: -6 'the name of the image does not end with .png, .jpg or .jpeg'", "descriptors 8", "closed",
    )  # fmt: skip
