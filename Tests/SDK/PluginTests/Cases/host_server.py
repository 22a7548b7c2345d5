#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Plays the server `darkroom-host` for a client that launches an extension, and checks the requests of the client.

The script implements only the interface document, and shares no code with Darkroom.
usage: host_server.py SCENARIO PROGRAM
"""

import json
import os
import socket
import subprocess
import sys
import tempfile

EXTENSION = "org.darkroom.sample.snapshot"
SESSION = {"session": "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11"}
RESULT = SESSION | {
    "app": "org.darkroom.sample", "extension": EXTENSION, "outcome": {"kind": "dismissed", "by": "user"},
    "summary": "the user dismissed the session", "exitCode": 0, "content": "/content", "record": "/record.json",
    "files": [{"path": "photo-1.jpg", "size": 8669}], "quarantined": [], "refusals": [], "output": "", "notices": [],
}


class Client:
    """The program under test, and its connection."""

    def __init__(self, program, directory):
        path = f"{directory}/host"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        self.process = subprocess.Popen([program, path, EXTENSION], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        listener.settimeout(20)
        self.connection = listener.accept()[0]
        self.connection.settimeout(20)
        self.lines = self.connection.makefile("r", encoding="utf-8")

    def expect(self, method, **params):
        """Checks the next request, and returns its ID."""
        request = json.loads(self.lines.readline())
        identifier = request.pop("id")
        assert isinstance(identifier, (int, str)), f"{method} is a notification"
        wanted = {"jsonrpc": "2.0", "method": method, "params": params}
        assert request == wanted, f"{request}\nnot {wanted}"
        return identifier

    def send(self, *messages):
        """Sends messages with one write(2)."""
        lines = [json.dumps({"jsonrpc": "2.0"} | message, separators=(",", ":")) for message in messages]
        self.connection.sendall("".join(f"{line}\n" for line in lines).encode())

    def end(self):
        """Returns the exit code, standard output and standard error of the program."""
        output, errors = self.process.communicate(timeout=20)
        return self.process.returncode, output.decode(), errors.decode()


def event(kind, **members):
    return {"method": "session/event", "params": SESSION | {"event": {"kind": kind} | members}}


def session(client):
    """Plays a session with one press."""
    hello = {"version": 1, "host": "0.1", "state": "/state", "process": 1}
    client.send({"id": client.expect("host/hello", versions=[1]), "result": hello})
    launch = client.expect("session/launch", extension=EXTENSION, options={"camera": "pattern"})
    refusal = {"layer": "seccomp", "call": "socket", "arguments": ["AF_INET"], "program": "p", "count": 1}
    refusal |= {"errno": "EPERM", "reason": "r", "sentence": "s", "probe": False}
    # Notifications can follow in the same packet.
    client.send({"id": launch, "result": SESSION}, event("started", sandbox={"full": True, "layers": []}))
    result = client.expect("session/result", **SESSION)
    client.send(event("acceptsPresses", accepts=False), event("refused", refusal=refusal), event("presented"))
    client.send(event("acceptsPresses", accepts=True))
    press = client.expect("session/press", button="primary", **SESSION)
    client.send(event("notice", message="\u00e9"), {"id": press, "result": {}})
    client.send({"id": client.expect("session/dismiss", **SESSION), "result": {}}, event("dismissing"))
    client.send(event("ended", outcome=RESULT["outcome"]), {"id": result, "result": RESULT})
    code, output, errors = client.end()
    assert code == 0, errors
    assert json.loads(output) == RESULT, output


def refused(client):
    """Refuses the launch."""
    client.send({"id": client.expect("host/hello", versions=[1]), "result": {"version": 1}})
    launch = client.expect("session/launch", extension=EXTENSION, options={"camera": "pattern"})
    error = {"code": -32000, "message": "not installed", "data": {"kind": "notInstalled", "id": EXTENSION}}
    client.send({"id": launch, "error": error})
    code, output, errors = client.end()
    assert code == 1 and output == "" and "not installed" in errors, (code, output, errors)


def closed(client):
    """Ends in the middle of a message."""
    client.expect("host/hello", versions=[1])
    client.connection.sendall(b'{"jsonrpc":"2.0","id"')
    client.connection.shutdown(socket.SHUT_RDWR)
    code, output, errors = client.end()
    assert code == 1 and output == "" and errors != "", (code, output, errors)


def main():
    scenario, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="darkroom-server-") as directory:
        globals()[scenario](Client(os.path.abspath(program), directory))


if __name__ == "__main__":
    main()
