# SPDX-License-Identifier: Apache-2.0
"""Signals during the waits of signals.c, on the side of extensions and on the side of hosts."""

import os
import signal
import time

from fake_server import SESSION
from session_scenarios import RESULT, frame, open_viewfinder

WAIT_INTERRUPTED = "-10 the wait was interrupted, signals 0"


def send_signals(process):
    """Sends signals that the program only counts, for 100 ms."""
    for _ in range(20):
        os.kill(process, signal.SIGUSR1)
        time.sleep(0.005)


def interrupt(process):
    """Sends the signal whose handler interrupts the wait, or the next wait."""
    os.kill(process, signal.SIGUSR2)


def session_signals(host):
    """Sends signals to an extension."""
    host.start()
    host.prints("waiting")
    send_signals(host.process)
    host.notify("photos/changed")
    host.prints("event: 1, signals 1", "event 14", "waiting")
    send_signals(host.process)
    host.prints("timeout: 0, signals 1", "late 1", "waiting")
    interrupt(host.process)
    host.prints(f"interrupted: {WAIT_INTERRUPTED}")
    identifier = host.expect("capture/subscribe")
    host.notify("photos/changed")
    host.send({"jsonrpc": "2.0", "id": identifier, "result": {}})
    host.prints("request: 0, signals 0", "waiting", "queued: 1, signals 0", "event 14")
    host.prints("waiting", f"interrupted: {WAIT_INTERRUPTED}", "waiting", "none: 0, signals 0")
    assert host.end() == 0


def host_signals(server):
    """Sends signals to a host program, which was connected during signals, too."""
    process = server.process.pid
    server.prints("connected: 0, signals 1")
    result = server.launch()
    server.prints("waiting")
    send_signals(process)
    server.send(server.event(SESSION, "presented"))
    server.prints("event: 1, signals 1", "event 2", "waiting")
    send_signals(process)
    server.prints("timeout: 0, signals 1", "late 1", "waiting")
    interrupt(process)
    server.prints(f"interrupted: {WAIT_INTERRUPTED}")
    wait_for_frames(server, process)
    wait_for_result(server, process, result)


def wait_for_frames(server, process):
    server.prints("waiting")
    memory = open_viewfinder(server, SESSION)
    identifier = server.expect("viewfinder/next", session=SESSION)
    send_signals(process)
    server.prints("frame timeout: 0, signals 1", "waiting")
    interrupt(process)
    # The frame remains requested.
    server.prints(f"frame interrupted: {WAIT_INTERRUPTED}", "waiting")
    send_signals(process)
    server.send(frame(server, identifier, 0, 4))
    server.prints("frame: 1, signals 1", "frame 4")
    memory.close()
    identifier = server.expect("viewfinder/release", session=SESSION)
    server.send(server.event(SESSION, "presented"), server.reply(identifier, {}))
    server.prints("request: 0, signals 0", "waiting", "queued: 1, signals 0", "event 2")
    server.prints("waiting", f"interrupted: {WAIT_INTERRUPTED}", "waiting", "none: 0, signals 0")


def wait_for_result(server, process, identifier):
    server.prints("waiting")
    interrupt(process)
    server.prints(f"result interrupted: {WAIT_INTERRUPTED}", "waiting")
    send_signals(process)
    text = "the session has not ended before the timeout"
    server.prints(f"result timeout: -3 {text}, signals 1", "waiting")
    send_signals(process)
    server.send(server.reply(identifier, RESULT))
    server.prints("result: 0, signals 1")
    server.end()
