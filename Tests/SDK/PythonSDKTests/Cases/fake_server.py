# SPDX-License-Identifier: Apache-2.0
"""A server in this process, which implements only the description of the interface. A thread answers the requests."""

import array
import collections
import contextlib
import json
import os
import pathlib
import shutil
import socket
import struct
import tempfile
import threading
import time
import unittest

from darkroom.host import Host

ROOT = pathlib.Path(__file__).resolve().parents[4]
DESCRIPTION = json.loads((ROOT / "Sources/Host/HostInterface/Schemas/host.openrpc.json").read_text())
METHODS = {method["name"]: method for method in DESCRIPTION["methods"]}
NOTIFICATIONS = {message["name"]: message for message in DESCRIPTION["x-notifications"]}
SESSION = "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11"
TIMEOUT = 20

#: The viewfinder of the tests: the rows have padding, and each frame starts at a multiple of 512.
WIDTH, HEIGHT, STRIDE, FRAME_BYTES, FRAMES = 6, 4, 8, 512, 3
PLANES = [
    {"offset": 0, "stride": STRIDE, "rows": HEIGHT, "rowBytes": WIDTH},
    {"offset": 64, "stride": STRIDE, "rows": HEIGHT // 2, "rowBytes": WIDTH // 2},
    {"offset": 128, "stride": STRIDE, "rows": HEIGHT // 2, "rowBytes": WIDTH // 2},
]
VIEWFINDER = {"opened": True, "width": WIDTH, "height": HEIGHT, "bytes": FRAMES * FRAME_BYTES, "planes": PLANES}
#: A program that a client starts as server: it answers one request, and writes a file when it is terminated. With
#: ``--fail``, it exits; with ``--slow``, it never accepts connections.
STARTED_SERVER = """
import contextlib, os, signal, socket, sys
root = sys.argv[sys.argv.index("--root") + 1]
if "--fail" in sys.argv:
    sys.exit(73)
os.makedirs(root + "/serve")
def stop(number, frame):
    open(root + "/stopped", "w").close()
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
listener = socket.socket(socket.AF_UNIX)
listener.bind(root + "/serve/host.new")
listener.listen()
if "--slow" not in sys.argv:
    os.rename(root + "/serve/host.new", root + "/serve/host")
connection = listener.accept()[0]
reply = '{"jsonrpc":"2.0","id":1,"result":{"version":1,"host":"0","state":"%s","process":%d}}\\n'
with contextlib.suppress(OSError):
    connection.recv(65536)
    connection.sendall((reply % (root, os.getpid())).encode())
while True:
    signal.pause()
"""


def resolved(schema):
    """Returns a schema without a reference."""
    while "$ref" in schema:
        schema = DESCRIPTION["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def sample(schema, is_complete=True):
    """Returns a value of a schema, with all members of objects or only with those that are required."""
    schema = resolved(schema)
    kind = schema["type"]
    if "enum" in schema:
        return schema["enum"][-1]
    if kind == "string":
        return SESSION if schema.get("minLength") == 36 else "text"
    if kind == "array":
        return [sample(schema["items"], is_complete)] * (2 if is_complete else 0)
    if kind == "object":
        required = schema.get("required", [])
        members = schema.get("properties", {}).items()
        return {name: sample(value, is_complete) for name, value in members if is_complete or name in required}
    return {"integer": schema.get("minimum", 7), "number": 2.5, "boolean": True}[kind]


def faults(value, schema, path=""):
    """Returns the differences of a value from a schema."""
    schema = resolved(schema)
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}
    kind = kinds[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"{path}: {value!r} is not of the type {schema['type']}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is not in {schema['enum']}")
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 1 << 20):
        found.append(f"{path}: {value!r} has an invalid length")
    if isinstance(value, list) and len(value) > schema.get("maxItems", len(value)):
        found.append(f"{path}: has too many elements")
    if isinstance(value, list):
        found += [fault for item in value for fault in faults(item, schema["items"], f"{path}[]")]
    if isinstance(value, dict):
        members = schema.get("properties", {})
        found += [f"{path}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, item in value.items():
            further = schema.get("additionalProperties", True)
            if name in members:
                found += faults(item, members[name], f"{path}.{name}")
            elif isinstance(further, dict):
                found += faults(item, further, f"{path}.{name}")
            elif not further:
                found.append(f"{path}: {name} is unknown")
    return found


def parameters(message):
    """Returns the schema of the parameters of a method or notification."""
    items = message["params"]
    return {
        "type": "object",
        "properties": {item["name"]: item["schema"] for item in items},
        "required": [item["name"] for item in items if item["required"]],
        "additionalProperties": False,
    }


class FakeServer:
    """A server with a state directory.

    `results` has the result of requests by method, or a function that returns the result of its parameters. `errors`
    has the error, and `silent` the methods that are not answered. Other requests have a sample of the result's schema.
    """

    def __init__(self, is_complete=True):
        self.root = tempfile.mkdtemp(prefix="darkroom-python-")
        self.is_complete = is_complete
        self.results, self.errors, self.silent = {}, {}, set()
        self.results["host/hello"] = {"version": 1, "host": "0.1.0", "state": self.root, "process": os.getpid()}
        self.results["viewfinder/open"] = self.results["sound/open"] = {"opened": False}
        self.messages, self.faults = [], []
        self.descriptors = collections.deque()
        self.changed, self.writing = threading.Condition(), threading.Lock()
        self.connections, self.threads, self.memories = [], [], []
        os.mkdir(f"{self.root}/serve", 0o700)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.root}/serve/host")
        self.listener.listen()
        self.start(self.accept)

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.close()
        for memory in self.memories:
            os.close(memory)
        shutil.rmtree(self.root)

    def close(self):
        """Closes all connections, as if the server exits."""
        for link in (self.listener, *self.connections):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        self.listener.close()

    def start(self, target, *arguments):
        """Starts a thread."""
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                self.start(self.serve, connection)

    def serve(self, connection):
        """Reads and answers the requests of a connection."""
        pending = b""
        with connection, contextlib.suppress(OSError):
            while data := connection.recv(1 << 16):
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    self.check(message)
                    with self.changed:
                        self.messages.append(message)
                        self.changed.notify_all()
                    self.answer(connection, message)
        with self.changed:
            self.messages.append({"method": "closed"})
            self.changed.notify_all()

    def check(self, message):
        """Notes the differences of a request from the description."""
        method = message.get("method")
        if set(message) != {"jsonrpc", "id", "method", "params"} or message["jsonrpc"] != "2.0":
            self.faults.append(f"{message}: is not a request")
        elif method not in METHODS:
            self.faults.append(f"{method}: is unknown")
        else:
            self.faults += faults(message["params"], parameters(METHODS[method]), method)

    def answer(self, connection, message):
        method, reply = message["method"], {"jsonrpc": "2.0", "id": message["id"]}
        if method in self.silent:
            return
        if method in self.errors:
            reply["error"] = self.errors[method]
        else:
            result = self.results.get(method)
            if result is None:
                result = sample(METHODS[method]["result"]["schema"], self.is_complete)
            reply["result"] = result(message["params"]) if callable(result) else result
        descriptors = []
        if METHODS[method].get("x-descriptors") and self.descriptors:
            descriptors = [self.descriptors.popleft()]
        self.write(json.dumps(reply).encode() + b"\n", descriptors, connection)

    def write(self, data, descriptors=(), connection=None):
        """Sends bytes; the descriptors arrive with the first byte."""
        connection = connection or self.connections[-1]
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        with self.writing:
            connection.sendall(data[connection.sendmsg([data[:1]], ancillary) :])

    def send(self, descriptors=(), **message):
        """Sends a message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n", descriptors)

    def notify(self, method, **params):
        """Sends a notification of the description."""
        found = faults(params, parameters(NOTIFICATIONS[method]), method)
        assert not found, found
        self.send(method=method, params=params)

    def event(self, kind, **members):
        """Sends an event of the session."""
        self.notify("session/event", session=SESSION, event={"kind": kind, **members})

    def change(self, **members):
        """Sends a change of watched content."""
        self.notify("content/changed", subscription=1, change=members)

    def reply(self, method, **members):
        """Answers a silent request."""
        request = next(message for message in reversed(self.messages) if message.get("method") == method)
        self.send(id=request["id"], **members)

    def sent(self, method):
        """Returns the parameters of all requests of a method."""
        return [message["params"] for message in self.messages if message["method"] == method]

    def wait_for(self, method, count=1):
        """Waits until the client has sent a number of requests of a method."""
        with self.changed:
            found = self.changed.wait_for(
                lambda: sum(message["method"] == method for message in self.messages) >= count, TIMEOUT
            )
        if not found:
            raise AssertionError(f"no {method} in {self.messages}")


class Viewfinder:
    """The viewfinder of a session: answers requests for frames with `frames` frames in turn, and then with the end."""

    def __init__(self, server, frames=5):
        self.server, self.frames, self.count = server, frames, 0
        self.memory = os.memfd_create("viewfinder")
        os.ftruncate(self.memory, FRAMES * FRAME_BYTES)
        server.memories.append(self.memory)
        server.descriptors.append(self.memory)
        server.results["viewfinder/open"] = VIEWFINDER
        server.results["viewfinder/next"] = self.next

    @staticmethod
    def sample(sequence, plane, row):
        """Returns the samples of a row of a frame."""
        first = sequence * 50 + plane * 20 + row * 5
        return bytes((first + column) % 256 for column in range(PLANES[plane]["rowBytes"]))

    def next(self, params):
        """Writes a frame, and returns its description."""
        self.count += 1
        if self.count > self.frames:
            return {"more": False}
        offset = self.count % FRAMES * FRAME_BYTES
        for number, plane in enumerate(PLANES):
            for row in range(plane["rows"]):
                place = offset + plane["offset"] + row * plane["stride"]
                os.pwrite(self.memory, self.sample(self.count, number, row), place)
        return {"more": True, "offset": offset, "sequence": self.count, "timestamp": 1000 + self.count}


class Sound:
    """The sound of a session: blocks of one channel with four frames in a ring of four slots.

    The ring has `blocks` blocks first. Each request for more adds one of `later` blocks, and then the end.
    """

    SLOTS, STRIDE, LEAD = 4, 128, 500
    INFO = {"opened": True, "sampleRate": 8000, "channels": 1, "blockFrames": 4, "bytes": 4096 + 4 * 128, "clockLead": 500}

    def __init__(self, server, blocks=2, later=2):
        self.count, self.later = 0, later
        self.memory = os.memfd_create("sound")
        os.ftruncate(self.memory, self.INFO["bytes"])
        header = struct.pack("<4s4I4I", b"DKSR", 1, 4096, self.SLOTS, self.STRIDE, 8000, 1, 1, 4)
        os.pwrite(self.memory, header, 0)
        for _ in range(blocks):
            self.write()
        server.memories.append(self.memory)
        server.descriptors.append(self.memory)
        server.results["sound/open"] = self.INFO
        server.results["sound/next"] = self.next

    def write(self):
        """Writes the next block."""
        self.count += 1
        slot = 4096 + (self.count - 1) % self.SLOTS * self.STRIDE
        fields = struct.pack("<4QI", 0, self.LEAD + self.count, 0, (self.count - 1) * 4, 4)
        os.pwrite(self.memory, fields, slot)
        os.pwrite(self.memory, self.samples(self.count), slot + 64)
        os.pwrite(self.memory, struct.pack("<Q", self.count), slot)
        os.pwrite(self.memory, struct.pack("<Q", self.count), 128)

    @staticmethod
    def samples(sequence):
        """Returns the samples of a block."""
        return struct.pack("<4h", *(sequence * 10 + index for index in range(4)))

    def next(self, params):
        """Returns the number of the newest block after the one of the request, which is written if necessary."""
        if params["after"] >= self.count:
            if not self.later:
                return {"more": False}
            self.later -= 1
            self.write()
        return {"more": True, "published": self.count}


class ServerTestCase(unittest.TestCase):
    """A test with a server, whose requests must agree with the description."""

    def setUp(self):
        self.server = FakeServer()
        self.addCleanup(self.server.__exit__)
        self.addCleanup(lambda: self.assertEqual(self.server.faults, []))

    def host(self):
        """Returns a connection to the server, which is closed after the test."""
        host = Host(self.server.root)
        self.addCleanup(host.close)
        return host

    def thread(self, body):
        """Runs a function in a thread. Returns the thread, and a list for the result or the error."""
        results = []

        def run():
            try:
                results.append(body())
            except Exception as error:
                results.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread, results


def planes_of(sequence):
    """Returns the samples of the planes of a frame, without padding."""
    return [
        b"".join(Viewfinder.sample(sequence, number, row) for row in range(plane["rows"]))
        for number, plane in enumerate(PLANES)
    ]


def open_descriptors():
    """Returns the number of open descriptors of this process."""
    return len(os.listdir("/proc/self/fd"))


def wait_until(condition):
    """Waits until a condition holds."""
    limit = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError("the condition does not hold in time")
        time.sleep(0.005)
