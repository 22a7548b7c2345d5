# SPDX-License-Identifier: Apache-2.0
"""A server with one connection, which compares the messages of a host program with expected messages.

The server implements only the OpenRPC description, and shares no code with Darkroom. It checks each message with the
description.
"""

import array
import json
import os
import select
import socket
import subprocess
import sys

import interface_check

APP, EXTENSION = "org.example.camera", "org.example.camera.capture"
SESSION = "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11"
OTHER = "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A12"
THIRD = "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A13"
HELLO = {"version": 1, "host": '0.9 "beta"', "state": "/state", "process": 7}


def record(method, value):
    """Adds a valid result of a method, or a notification, to the input of the fuzzer (CORPUS)."""
    if "CORPUS" in os.environ:
        with open(os.environ["CORPUS"], "a") as file:
            file.write(f"{method} {json.dumps(value, separators=(',', ':'))}\n")


class Server:
    """One connection of the test program."""

    def __init__(self, scenario, program, root, arguments=(), hello=HELLO, before_accept=None):
        self.root, self.pending, self.printed = root, b"", b""
        os.makedirs(f"{root}/serve", exist_ok=True)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.path = f"{root}/serve/host"
        with directory(f"{root}/serve"):
            self.listener.bind("host")
        # One connection fills the queue: the program waits in connect(2) until the server accepts that connection.
        self.listener.listen(0)
        if before_accept:
            earlier = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            with directory(f"{root}/serve"):
                earlier.connect("host")
        environment = {"PATH": "/usr/bin:/bin", "DARKROOM_ROOT": root, "ASAN_OPTIONS": "detect_leaks=1"}
        self.process = subprocess.Popen(
            [program, scenario, *arguments], cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.listener.settimeout(20)
        if before_accept:
            self.prints("connecting")
            before_accept(self)
            self.listener.accept()[0].close()
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(20)
        if hello is not None:
            self.answer("host/hello", hello, versions=[1], client="client 1.0")

    def receive(self):
        """Returns the next message, or None at end of file."""
        while b"\n" not in self.pending:
            data = self.connection.recv(65536)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        assert len(line) <= 1 << 20, "the line is too long"
        return json.loads(line)

    def expect(self, method, is_checked=True, **params):
        """Checks the next message, a request, and returns its ID."""
        message = self.receive()
        assert message is not None, f"the program ended before {method}"
        identifier = message.pop("id")
        wanted = {"jsonrpc": "2.0", "method": method, "params": params}
        assert message == wanted, f"{message}\nnot {wanted}"
        if is_checked:
            interface_check.check_request(method, params)
        return identifier

    def send(self, *messages, descriptors=()):
        """Sends lines with one system call. The descriptors belong to the first byte."""
        lines = [
            message if isinstance(message, str) else json.dumps(message, separators=(",", ":")) for message in messages
        ]
        self.send_bytes("".join(f"{line}\n" for line in lines).encode(), descriptors)

    def send_bytes(self, data, descriptors=()):
        """Sends a part of a line. The descriptors belong to its first byte."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        rest = data[self.connection.sendmsg([data], rights) :]
        # send(2) of no bytes would fail if the program has exited.
        if rest:
            self.connection.sendall(rest)

    def reply(self, identifier, result):
        return {"jsonrpc": "2.0", "id": identifier, "result": result}

    def answer(self, method, result=None, error=None, is_checked=True, **params):
        """Checks the next message, a request, and responds."""
        result = {} if result is None else result
        identifier = self.expect(method, is_checked, **params)
        if error:
            self.send({"jsonrpc": "2.0", "id": identifier, "error": error})
            return
        if is_checked:
            interface_check.check_result(method, result)
            record(method, result)
        self.send(self.reply(identifier, result))

    @staticmethod
    def notification(method, **params):
        interface_check.check_notification(method, params)
        record("-", {"jsonrpc": "2.0", "method": method, "params": params})
        return {"jsonrpc": "2.0", "method": method, "params": params}

    def event(self, session, kind, **members):
        return self.notification("session/event", session=session, event={"kind": kind} | members)

    def launch(self, session=SESSION, **params):
        """Answers a launch, and returns the ID of the request for the result."""
        self.answer("session/launch", {"session": session}, **{"extension": EXTENSION} | params)
        return self.expect("session/result", session=session)

    def line(self):
        """Returns the next line that the program prints."""
        while b"\n" not in self.printed:
            if not select.select([self.process.stdout], [], [], 20)[0]:
                sys.exit("the program prints nothing")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                sys.exit(f"the program ended after {self.printed!r}")
            self.printed += data
        line, self.printed = self.printed.split(b"\n", 1)
        return line.decode()

    def prints(self, *lines):
        for wanted in lines:
            line = self.line()
            assert line == wanted, f"{line!r}\nnot {wanted!r}"

    def order(self, command, *lines):
        """Sends a line to the program's standard input, and compares what the program prints."""
        os.write(self.process.stdin.fileno(), command.encode() + b"\n")
        self.prints(*lines)

    def end(self, code=0):
        """Waits for the end of the program."""
        self.process.stdin.close()
        self.prints("closed")
        assert self.process.wait(20) == code
        return self.receive()


class directory:
    """A working directory, in which relative paths of sockets are short."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.previous = os.getcwd()
        os.chdir(self.path)

    def __exit__(self, *_):
        os.chdir(self.previous)
