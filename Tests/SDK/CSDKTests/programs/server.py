#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Runs a host program with a server in Python, and compares what both sides receive.

usage: server.py SCENARIO PROGRAM
       server.py serve --root DIR [REPORT]   accept one connection, like a server that a program has started
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from device_scenarios import devices, sound  # noqa: E402
from fake_server import APP, EXTENSION, HELLO, OTHER, SESSION, Server, directory  # noqa: E402
from manage_scenarios import manage  # noqa: E402
from request_scenarios import APP_VALUE, requests  # noqa: E402
from session_scenarios import demo, sessions, viewfinder  # noqa: E402
from signal_scenarios import host_signals, send_signals  # noqa: E402

SCENARIOS = {"requests": requests, "sessions": sessions, "viewfinder": viewfinder, "sound": sound, "devices": devices}
SCENARIOS |= {"manage": manage}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


# MARK: Errors


@scenario
def errors(server):
    data = {"kind": "policy", "step": "open", "errno": 13, "path": "/p", "x": [1]}
    text = json.dumps(data, separators=(",", ":"))
    server.answer("apps/find", error={"code": -32000, "message": "é" * 200, "data": data}, app="x")
    server.answer("apps/find", error={"code": -32000, "message": "later", "data": {"kind": "later"}}, app="x")
    server.answer("apps/find", error={"code": -32602}, app="x")
    server.answer("apps/find", error={"message": "x"}, app="x")
    server.prints(
        f"refused: -5007 1 13 '{'é' * 127}' {text}",
        'refused: -32000 1 0 \'later\' {"kind":"later"}',
        "refused: -32602 1 0 'the server refused the request' -",
        "refused: -5 1 0 'the server sent a result without a valid 'error.code'' -",
    )
    installation = {"app": APP_VALUE, "replaced": True, "warnings": []}
    for faulty in (
        installation | {"replaced": 1},
        installation | {"app": APP_VALUE | {"extensions": [{"id": "a"}]}},
        [1],
    ):
        server.answer("apps/install", faulty, is_checked=False, bundle="/x")
    server.prints(
        *(
            f"faulty: -5 1 0 'the server sent a result without a valid '{member}'' -"
            for member in ("replaced", "name", "result")
        )
    )
    server.prints("unset 1")
    late = server.expect("apps/uninstall", app="x")
    server.prints("timeout: -3 1 0 'the server sent no response before the timeout' -")
    launch = server.expect("session/launch", extension="x")
    server.prints("late launch 1")
    identifier = server.expect("apps/uninstall", app="x")
    # The late launch is dismissed, because no function has returned its session.
    server.send(
        {"jsonrpc": "2.0", "id": late, "error": {"code": -32000, "message": "late"}},
        server.reply(launch, {"session": OTHER}),
    )
    server.answer("session/dismiss", session=OTHER)
    server.send(server.event(OTHER, "dismissing"), server.reply(identifier, {}))
    server.prints("after: 0")
    refuse_arguments(server)
    assert server.end() is None


def refuse_arguments(server):
    server.answer(
        "apps/find", error={"code": -32602, "message": "app", "data": {"path": "app"}}, is_checked=False, app=""
    )
    server.prints('missing: -32602 1 0 \'app\' {"path":"app"}')
    server.prints("large: -9 1 0 'the message is longer than 1048576 bytes' -")
    # The longest line in both directions.
    message = server.receive()
    name = message["params"]["app"]
    found = APP_VALUE | {"name": name[: -len(json.dumps(server.reply(10, APP_VALUE), separators=(",", ":"))) + 45]}
    line = json.dumps(server.reply(message["id"], found), separators=(",", ":"))
    found["name"] += "x" * ((1 << 20) - len(line))
    server.send(server.reply(message["id"], found))
    server.prints("largest: 0", f"app '{len(found['name'])}'")
    server.prints("deep: -9 1 0 'the message has more than 32 levels of arrays and objects' -")
    text = "a structure is missing or was not initialized with its DARKROOM_HOST_…_INIT"
    server.prints(*(f"{case}: -6 1 0 '{text}' -" for case in ("small", "none")))


@scenario
def closed(server):
    server.launch()
    server.send(server.event(SESSION, "presented"))
    server.connection.close()
    text = "-2 1 0 'the server has closed the connection' -"
    server.prints(
        "poll 1",
        "event 2 session 1 accepts 0 message -",
        f"next: {text}",
        f"request: {text}",
        f"wait: {text}",
        f"take: {text}",
    )
    server.prints("closed")
    assert server.process.wait(20) == 0


@scenario
def blocked(server):
    server.prints("blocked: -3 1 0 'the server did not read the message before the timeout' -")
    server.prints("after: -2 1 0 'the server has closed the connection' -", "closed")
    assert server.process.wait(20) == 0


def refused(server, line, text):
    """Sends a line that ends the connection."""
    server.prints("none: 0")
    server.send(server.event(SESSION, "presented"), line)
    server.prints(
        "poll 1", f"next: -5 1 0 '{text}' -", "end: -2 1 0 'the server has closed the connection' -", "closed"
    )
    assert server.process.wait(20) == 0


@scenario
def garbage(server):
    refused(server, "[1]", "the server sent JSON that is not a message")


@scenario
def text(server):
    refused(server, "hello", "the server sent a line that is not JSON")


@scenario
def zero(server):
    refused(server, '{"jsonrpc":"2.0"}\0', "the server sent a line that is not JSON")


@scenario
def long(server):
    server.prints("none: 0")
    try:
        server.connection.sendall(b"{" + b" " * (1 << 20) + b"\n")
    except (BrokenPipeError, ConnectionResetError):
        pass
    server.prints("poll 1", "next: -5 1 0 'the server sent a line that is too long' -")
    server.prints("end: -2 1 0 'the server has closed the connection' -", "closed")
    assert server.process.wait(20) == 0


@scenario
def messages(server):
    """Sends messages that a server does not send, and one message in several parts."""
    server.prints("none: 0")
    server.send(
        {"jsonrpc": "2.0", "id": 99, "result": {}},
        {"jsonrpc": "2.0", "id": "x", "method": "apps/list", "params": {}},
        {"jsonrpc": "2.0", "id": None, "method": "later", "params": [1]},
    )
    for part in (b'{"jsonrpc":"2.0","meth', b'od":"later\\u002fa","par', b'ams":{"x":1}}\r\n'):
        server.connection.sendall(part)
        time.sleep(0.01)
    server.connection.shutdown(socket.SHUT_WR)
    end = "-2 1 0 'the server has closed the connection' -"
    server.prints(
        "poll 1",
        "event 0 session 0 accepts 0 message - later {}",
        'event 0 session 0 accepts 0 message - later/a {"x":1}',
    )
    server.prints(f"next: {end}", f"end: {end}", "closed")


# MARK: Connections


def run(program, *arguments, environment=None, cwd="/"):
    """Runs the test program, and returns its output and its exit code."""
    result = subprocess.run([program, *arguments], env=environment or {}, cwd=cwd, stdout=subprocess.PIPE, timeout=60)
    return result.stdout.decode(), result.returncode


def example(program, root):
    demo(Server(EXTENSION, program, root, ["first.png", "Sample"], hello=None))


def signals(program, root):
    host_signals(Server("host", program, root, before_accept=lambda server: send_signals(server.process.pid)))


def version(program, root):
    server = Server("open", program, root, hello=None)
    server.answer("host/hello", HELLO | {"version": 2}, versions=[1], client="client 1.0")
    server.prints("-4004 0 'the server does not support version 1 of the interface'")
    assert server.process.wait(20) == 1


def directories(program, root):
    """Checks the state directories without a server, and a path that is longer than an address."""

    def missing(path, **environment):
        output, code = run(program, "open", environment=environment, cwd=root)
        text = "no server is running; start 'darkroom serve', or set the option 'start': No such file or directory"
        wanted = f"-1 2 '{path[:100]}: {text}'\n"
        assert (output, code) == (wanted, 1), f"{output}not {wanted}"

    place = os.path.realpath(root)
    missing("/a", DARKROOM_ROOT="/a", XDG_STATE_HOME="/b", HOME="/c")
    missing(f"{place}/a", DARKROOM_ROOT="a")
    missing("/b/darkroom", DARKROOM_ROOT="", XDG_STATE_HOME="/b", HOME="/c")
    missing("/c/.local/state/darkroom", XDG_STATE_HOME="b", HOME="/c")
    output, code = run(program, "open", environment={"HOME": "c"})
    text = "the state directory is unknown; set HOME or DARKROOM_ROOT: No such file or directory"
    assert (output, code) == (f"-6 2 '{text}'\n", 1), output
    server = Server("open", program, f"{root}/{'long' * 40}")
    server.prints('opened 0.9 "beta"')
    server.end()
    # A socket without a server.
    server.listener.close()
    output, code = run(program, "open", environment={"DARKROOM_ROOT": server.root})
    assert output.endswith(": Connection refused'\n") and output.startswith("-1 111 '"), output


def owner(program, root):
    """Refuses the server of another user."""
    if os.geteuid() != 0:
        return
    os.chmod(root, 0o755)
    os.makedirs(f"{root}/serve")
    os.chown(f"{root}/serve", 65534, 65534)
    read, write = os.pipe()
    if os.fork() == 0:
        os.setgid(65534)
        os.setuid(65534)
        with directory(f"{root}/serve"):
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind("host")
            os.chmod("host", 0o777)
        listener.listen()
        os.write(write, b"1")
        listener.accept()[0].recv(1)
        os._exit(0)
    os.read(read, 1)
    output, code = run(program, "open", environment={"DARKROOM_ROOT": root})
    os.wait()
    assert (output, code) == ("-4003 0 'the server belongs to another user'\n", 1), output


def start(program, root):
    """Lets the test program start a server."""
    environment = {"DARKROOM_ROOT": root, "PATH": "/usr/bin:/bin"}
    server = [os.path.abspath(__file__), "serve"]
    with open(f"{root}/server", "w") as file:
        file.write(f'#!/bin/sh\nexec /usr/bin/python3 -I {server[0]} serve "$@"\n')
    os.chmod(f"{root}/server", 0o755)
    # Descriptors and blocked signals are not inherited.
    os.set_inheritable(os.open("/dev/null", os.O_RDONLY), True)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    output, code = run(
        program, "open", f"{root}/server", f"{root}/report", "--lock-state", "settable", environment=environment
    )
    assert (output, code) == ('opened 0.9 "beta"\nclosed\n', 0), output
    report = json.load(open(f"{root}/report"))
    # The report is complete before the program exits, because the library waits for the server.
    assert report == {
        "arguments": ["--root", root, f"{root}/report", "--lock-state", "settable"],
        "descriptors": [0, 1, 2],
        "session": True,
        "signal": 15,
    }, report
    output, code = run(program, "open", "false", environment=environment)
    assert (output, code) == ("-1 0 'the server has exited; its message is on standard error'\n", 1), output
    output, code = run(program, "open", "/none/server", environment=environment)
    assert (output, code) == (
        "-1 2 '/none/server: the server cannot be started: No such file or directory'\n",
        1,
    ), output


def serve():
    """Accepts a connection, and reports the end by SIGTERM in a file."""
    arguments = sys.argv[2:]
    root, report = arguments[1], arguments[2]
    signal.pthread_sigmask(signal.SIG_SETMASK, signal.pthread_sigmask(signal.SIG_BLOCK, []))
    state = {
        "arguments": arguments,
        "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
        "session": os.getsid(0) == os.getpid(),
    }

    def end(number, _):
        time.sleep(0.1)
        with open(report, "w") as file:
            json.dump(state | {"signal": number}, file)
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    # The program connects repeatedly until the server is ready.
    time.sleep(0.2)
    os.makedirs(f"{root}/serve", exist_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(f"{root}/serve/host")
    listener.listen()
    connection, _ = listener.accept()
    identifier = json.loads(connection.recv(65536))["id"]
    connection.sendall(json.dumps({"jsonrpc": "2.0", "id": identifier, "result": HELLO}).encode() + b"\n")
    while True:
        signal.pause()


PROGRAMS = {"garbage": "events", "text": "events", "zero": "events", "long": "events", "messages": "events"}
CONNECTIONS = {"example": example, "signals": signals, "version": version, "directories": directories}
CONNECTIONS |= {"owner": owner, "start": start}


def main():
    if sys.argv[1] == "serve":
        return serve()
    name, program = sys.argv[1], os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="darkroom-c-host-") as root:
        if name in CONNECTIONS:
            CONNECTIONS[name](program, root)
        else:
            SCENARIOS[name](Server(PROGRAMS.get(name, name), program, root))


main()
