# SPDX-License-Identifier: Apache-2.0
"""Sessions of the test program, and their viewfinders."""

import json
import os

import interface_check
from fake_server import APP, EXTENSION, HELLO, OTHER, SESSION, THIRD, record
from request_scenarios import APP_VALUE

SANDBOX = {
    "full": False,
    "layers": [{"name": "seccomp", "state": "enforced"}, {"name": "cgroup", "state": "missing", "detail": "d"}],
}
REFUSAL = {
    "layer": "seccomp",
    "call": "socket",
    "arguments": ["AF_INET", "0"],
    "program": "sh",
    "count": 2,
    "errno": "EPERM",
    "reason": "network",
    "sentence": "socket is refused",
    "probe": False,
}
RESULT = {
    "session": SESSION,
    "app": APP,
    "extension": EXTENSION,
    "outcome": {"kind": "completed", "exitCode": 0},
    "summary": "exited",
    "exitCode": 0,
    "files": [],
    "quarantined": [],
    "refusals": [],
    "record": "/record.json",
    "output": "",
    "notices": [],
}


FILE = {"path": "photo-1.jpg", "size": 41230}
FULL_RESULT = {
    "summary": "the user dismissed",
    "exitCode": 2,
    "content": "/content",
    "sandbox": SANDBOX,
    "files": [FILE, FILE | {"sha256": "sha256:0"}],
    "refusals": [REFUSAL],
    "output": "a\0b\nc",
    "notices": ["n"],
    "quarantined": [{"path": "q", "reason": "symbolicLink", "explanation": "e"}],
    "frames": {"produced": 9, "consumed": 7, "dropped": 2},
}


def sessions(server):
    place = os.path.realpath(server.root)
    options = {
        "camera": "pattern",
        "microphone": "none",
        "place": "lockScreen",
        "grace": 1.5,
        "watchdog": 0,
        "idleTimeout": 60,
    }
    options |= {"digests": True, "audit": {"attestation": f"{place}/audit.json", "publicKey": "/key.pem"}}
    awaited = server.launch(options=options)
    server.prints(f"launched {SESSION}")
    send_events(server)
    end_session(server, awaited)
    run_program(server)
    watch(server)


def send_events(server):
    """Sends events of each kind, and answers the presses and adjustments that follow."""
    server.send(
        server.event(SESSION, "started", sandbox=SANDBOX),
        server.event(SESSION, "presented"),
        server.event(OTHER, "presented"),
        server.event(SESSION, "refused", refusal=REFUSAL),
        server.event(SESSION, "notice", message="n"),
        {
            "jsonrpc": "2.0",
            "method": "session/event",
            "params": {"session": SESSION, "event": {"kind": "later", "x": 1}},
        },
        {"jsonrpc": "2.0", "method": "later/event", "params": {"x": [1]}},
        server.event(SESSION, "acceptsPresses", accepts=True),
    )
    server.prints(
        "event 1 session 1 accepts 0 message - sandbox 0 seccomp",
        "event 2 session 1 accepts 0 message -",
        "event 4 session 1 accepts 0 message - refusal socket AF_INET",
        "event 5 session 1 accepts 0 message n",
        "event 0 session 1 accepts 0 message - session/event "
        f'{{"session":"{SESSION}","event":{{"kind":"later","x":1}}}}',
        'event 0 session 0 accepts 0 message - later/event {"x":[1]}',
        "event 3 session 1 accepts 1 message -",
    )
    server.answer("session/press", session=SESSION, button="primary")
    server.answer("session/press", session=SESSION, button="secondary", phase="began")
    server.answer("session/pointer", session=SESSION, x=640, y=360.5, phase="moved", contact=1)
    server.prints("tap: 0", "press: 0", "press: -6 1 0 'the button or the phase does not exist' -", "pointer: 0")
    server.prints("pointer: -6 1 0 'the phase of the contact does not exist' -")
    server.answer("session/adjust", session=SESSION, control="zoom", value=2.5)
    server.answer("session/adjust", session=SESSION, control="zoom", steps=-2)
    server.answer("session/adjust", session=SESSION, control="filter", title="Mono")
    server.prints(
        "control: 0", "control: 0", "control: 0", "early: -3 1 0 'the session has not ended before the timeout' -"
    )
    server.answer("session/dismiss", session=SESSION)
    server.prints("dismiss: 0")


def end_session(server, awaited):
    """Ends the session, and sends its result. `awaited` is the ID of the request for the result."""
    identifier = server.expect("session/terminate", session=SESSION)
    outcome = {"kind": "dismissed", "by": "powerKey"}
    result = RESULT | FULL_RESULT | {"outcome": outcome}
    interface_check.check_result("session/result", result)
    record("session/result", result)
    # The response with the result precedes the last event, but DARKROOM_HOST_FINISHED follows it.
    server.send(
        server.reply(identifier, {}),
        server.event(SESSION, "dismissing"),
        server.reply(awaited, result),
        server.event(SESSION, "ended", outcome=outcome),
    )
    server.prints(
        "terminate: 0",
        "event 6 session 1 accepts 0 message -",
        "event 8 session 1 accepts 0 message - outcome 7 6",
        "event 103 session 1 accepts 0 message -",
        "wait: 0",
    )
    server.prints(
        f"result of {SESSION}, {EXTENSION} of {APP}: 'the user dismissed' 2",
        "outcome 7 by 6 exit 0 signal 0 rule - deadline - step - errno -",
        "missing",
        "layer seccomp 1 -",
        "layer cgroup 3 d",
        "content /content",
        "file photo-1.jpg 41230 -",
        "file photo-1.jpg 41230 sha256:0",
        "quarantined q symbolicLink",
        "refusal seccomp socket sh 2 EPERM 'network' 'socket is refused' 0",
        "frames 9 7 2",
        "record /record.json output 'a\ufffdb",
        "c'",
        "notices [n]",
        "place 1",
    )


def run_program(server):
    params = {
        "app": APP,
        "program": f"{os.path.realpath(server.root)}/bin/tool",
        "arguments": ["-c", "exit 3"],
        "policy": "capture",
    }
    params |= {"readOnlyPaths": ["/data"], "camera": "pattern", "environment": {"A": "1=2", "B": ""}}
    server.answer("session/launchProgram", {"session": OTHER}, **params)
    identifier = server.expect("session/result", session=OTHER)
    outcome = {"kind": "completed", "exitCode": 3}
    server.send(server.reply(identifier, RESULT | {"session": OTHER, "outcome": outcome}))
    server.prints("wait: 0", "exit 3 'exited'", "program 1")
    server.prints("program: -6 1 0 'a variable of the environment has no name' -")


def watch(server):
    """Sends changes of content after events of a session that the program has closed."""
    identifier = server.launch(THIRD)
    server.answer("session/dismiss", session=THIRD)
    delivery = {"session": SESSION, "path": "/content/1", "files": 2, "bytes": 5}
    changes = (
        {"initial": []},
        {"initial": [delivery, delivery | {"path": "/content/2"}]},
        {"added": delivery},
        {"removed": OTHER},
    )
    server.send(
        server.event(THIRD, "presented"),
        server.reply(identifier, RESULT),
        *(server.notification("content/changed", subscription=7, change=change) for change in changes),
        server.notification("content/ended", subscription=8, message="gone"),
    )
    server.prints(
        "event 201 session 0 accepts 0 message - subscription 7",
        "event 201 session 0 accepts 0 message - subscription 7 content /content/1 content /content/2",
        "event 202 session 0 accepts 0 message - subscription 7 content /content/1",
        f"event 203 session 0 accepts 0 message - subscription 7 removed {OTHER}",
        "event 204 session 0 accepts 0 message gone subscription 8",
    )
    server.end()


# MARK: Viewfinder

WIDTH, HEIGHT = 33, 17
PLANES = [
    {"offset": 64, "stride": 40, "rows": 17, "rowBytes": 33},
    {"offset": 1024, "stride": 17, "rows": 9, "rowBytes": 17},
    {"offset": 2048, "stride": 17, "rows": 9, "rowBytes": 17},
]
FRAME_BYTES = 4096


class Memory:
    """The memory file of a viewfinder with three frames."""

    def __init__(self, size=3 * FRAME_BYTES):
        self.descriptor = os.memfd_create("viewfinder", os.MFD_CLOEXEC)
        os.ftruncate(self.descriptor, size)

    def draw(self, slot, brightness):
        """Draws a frame of one brightness without colour."""
        for plane, value in zip(PLANES, (brightness, 128, 128)):
            os.pwrite(
                self.descriptor,
                bytes([value]) * (plane["stride"] * plane["rows"]),
                slot * FRAME_BYTES + plane["offset"],
            )

    def close(self):
        os.close(self.descriptor)


LAYOUT = {"opened": True, "width": WIDTH, "height": HEIGHT, "bytes": 3 * FRAME_BYTES, "planes": PLANES}


def open_viewfinder(server, session, layout=LAYOUT, descriptors=1, size=3 * FRAME_BYTES):
    """Answers `viewfinder/open`, and returns the memory file."""
    memory = Memory(size)
    identifier = server.expect("viewfinder/open", session=session)
    interface_check.check_result("viewfinder/open", layout)
    record("viewfinder/open", layout)
    server.send(server.reply(identifier, layout), descriptors=[memory.descriptor] * descriptors)
    return memory


def frame(server, identifier, slot, sequence):
    result = {"more": True, "offset": slot * FRAME_BYTES, "sequence": sequence, "timestamp": 1000 + sequence}
    record("viewfinder/next", result)
    return server.reply(identifier, result)


def shown(sequence, brightness, dropped=0, valid=1, number="frame"):
    return f"{number} {sequence} at {1000 + sequence} 33x17 dropped {dropped} planes {brightness} 128 128 valid {valid}"


def viewfinder(server):
    result = server.launch()
    server.order("descriptors", "descriptors 2 inheritable 0")
    # The extension does not draw before the timeout; the frame remains requested.
    server.order("take 0", "take: 0")
    memory = open_viewfinder(server, SESSION)
    memory.draw(0, 40)
    memory.draw(1, 90)
    server.order("next", "next: 0")
    identifier = server.expect("viewfinder/next", session=SESSION)
    server.send(frame(server, identifier, 1, 4))
    server.order("next", "event 101 session 1 accepts 0 message -")
    server.order("take 0", shown(4, 90))
    server.order("copy", "copy 0", shown(4, 90))
    # The descriptor of the memory file is closed after mmap(2).
    server.order("descriptors", "descriptors 2 inheritable 0")
    server.order("valid", "valid 1")
    take_frames(server, memory)
    save_frames(server)
    end_viewfinder(server, result)
    refuse_descriptors(server)
    refuse_layouts(server)


def take_frames(server, memory):
    server.order("take 20000")
    server.send(frame(server, server.expect("viewfinder/next", session=SESSION), 0, 7))
    server.prints(shown(7, 40, dropped=2))
    # The pixels are shared: no copy is made.
    memory.draw(0, 41)
    server.order("valid", "valid 1")
    server.order("request", "request: 0")
    server.order("valid", "valid 0")
    identifier = server.expect("viewfinder/next", session=SESSION)
    # A frame is requested once, and a release does not withdraw the request.
    server.order("request", "request: 0")
    server.order("release", "release: 0")
    server.send(server.event(SESSION, "presented"), frame(server, identifier, 0, 8))
    server.order("next", "event 2 session 1 accepts 0 message -")
    server.order("take 20000", shown(8, 41))
    server.order("next", "next: 0")
    server.order("release")
    server.answer("viewfinder/release", session=SESSION)
    server.prints("release: 0")
    server.order("release", "release: 0")
    server.order("valid", "valid 0")


def save_frames(server):
    server.order("take 20000")
    server.send(frame(server, server.expect("viewfinder/next", session=SESSION), 1, 9))
    server.prints(shown(9, 90))
    for name in ("a.png", "a.jpg"):
        server.order(f"save {name}", "save: 0")
        data = open(f"{server.root}/{name}", "rb").read()
        assert data.startswith(b"\x89PNG" if name == "a.png" else b"\xff\xd8\xff"), data[:8]
    server.order("save none/a.png", "save: -4 1 2 'the file cannot be written: No such file or directory' -")


def end_viewfinder(server, result):
    server.order("take 20000")
    identifier = server.expect("viewfinder/next", session=SESSION)
    server.send(
        server.event(SESSION, "ended", outcome={"kind": "completed", "exitCode": 0}),
        server.reply(result, RESULT),
        server.reply(identifier, {"more": False}),
    )
    text = "take: -2 1 0 'the viewfinder has no further frames' -"
    server.prints(text)
    server.order("next", "event 8 session 1 accepts 0 message - outcome 1 0")
    server.order("next", "event 102 session 1 accepts 0 message -")
    server.order("next", "event 103 session 1 accepts 0 message -")
    server.order("take 20000", text)
    server.order("request", "request: 0")
    server.order("save a.png", "save: -7 1 0 'the host has overwritten the frame' -")


def relaunch(server, closed, launched):
    """Lets the program close a session that is still running, and launch another one. Returns the ID of the result."""
    server.order("launch")
    server.answer("session/dismiss", session=closed)
    return server.launch(launched)


def refuse_descriptors(server):
    """Sends too few, too many and unexpected descriptors."""
    server.order("launch")
    server.launch(OTHER)
    server.order("take 20000")
    open_viewfinder(server, OTHER, descriptors=0).close()
    server.prints("take: -5 1 0 'the server sent an unusable viewfinder' -")
    relaunch(server, OTHER, SESSION)
    unexpected = [os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)] * 9
    server.send(server.event(SESSION, "presented"), descriptors=unexpected)
    server.order("next", "event 2 session 1 accepts 0 message -")
    server.order("descriptors", "descriptors 2 inheritable 0")
    # The descriptor arrives with the first byte of its line, and the rest of the line later.
    server.order("take 0", "take: 0")
    memory = Memory()
    line = json.dumps(server.reply(server.expect("viewfinder/open", session=SESSION), LAYOUT)).encode() + b"\n"
    server.send_bytes(line[:1], [memory.descriptor])
    server.order("next", "next: 0")
    server.order("descriptors", "descriptors 3 inheritable 0")
    server.send_bytes(line[1:])
    server.order("next", "next: 0")
    server.expect("viewfinder/next", session=SESSION)
    server.order("descriptors", "descriptors 2 inheritable 0")
    # The viewfinder of a closed session is not mapped.
    relaunch(server, SESSION, OTHER)
    server.order("take 0", "take: 0")
    identifier = server.expect("viewfinder/open", session=OTHER)
    relaunch(server, OTHER, SESSION)
    server.send(server.reply(identifier, LAYOUT), descriptors=[memory.descriptor])
    server.order("next", "next: 0")
    server.order("descriptors", "descriptors 2 inheritable 0")


def plane(index, **changes):
    """Returns the layout with a changed plane."""
    return LAYOUT | {
        "planes": [value | changes if position == index else value for position, value in enumerate(PLANES)]
    }


def refuse_layouts(server):
    """Sends unusable viewfinders and frames."""
    faulty = "take: -5 1 0 'the server sent an unusable viewfinder' -"
    session, other = SESSION, OTHER
    layouts = [
        LAYOUT | {"width": 32},
        LAYOUT | {"height": 20000},
        LAYOUT | {"planes": PLANES[:2]},
        plane(1, stride=16),
        plane(2, rows=10),
        plane(0, rowBytes=32),
        LAYOUT | {"planes": PLANES * 2},
    ]
    for layout in layouts:
        relaunch(server, session, other)
        server.order("take 20000")
        open_viewfinder(server, other, layout).close()
        server.prints(faulty)
        session, other = other, session
    relaunch(server, session, other)
    server.order("take 20000")
    # Reading behind the end of the file would raise SIGBUS.
    open_viewfinder(server, other, size=FRAME_BYTES).close()
    server.prints("take: -4 1 22 'the viewfinder cannot be mapped: Invalid argument' -")
    for offset in (2 * FRAME_BYTES + 2048, 1 << 62):
        relaunch(server, other, session)
        server.order("take 20000")
        open_viewfinder(server, session).close()
        more = {"more": True, "offset": offset, "sequence": 1, "timestamp": 1}
        server.answer("viewfinder/next", more, session=session)
        server.prints("take: -5 1 0 'the server sent an unusable frame' -")
        session, other = other, session
    relaunch(server, other, session)
    server.order("take 20000")
    server.answer("viewfinder/open", {"opened": False}, session=session)
    server.prints("take: -8 1 0 'the session has ended without a viewfinder' -")
    relaunch(server, session, other)
    server.order("take 20000")
    error = {"code": -32000, "message": "no such session", "data": {"kind": "notFound"}}
    server.answer("viewfinder/open", error=error, session=other)
    server.prints('take: -5019 1 0 \'no such session\' {"kind":"notFound"}')
    relaunch(server, other, session)
    server.process.stdin.close()
    server.prints("closed")
    assert server.process.wait(20) == 0 and server.receive() is None


# MARK: Example


def demo(server):
    """Answers Plugins/HostDemo/host.c, which was started with an extension, a path and a bundle."""
    server.answer("host/hello", HELLO, versions=[1])
    installation = {"app": APP_VALUE, "replaced": False, "warnings": []}
    server.answer("apps/install", installation, bundle=f"{os.path.realpath(server.root)}/Sample")
    result = server.launch(options={"camera": "pattern:320x240@30"})
    server.send(
        server.event(SESSION, "refused", refusal=REFUSAL), server.event(SESSION, "acceptsPresses", accepts=True)
    )
    memory = open_viewfinder(server, SESSION)
    memory.draw(1, 90)
    server.send(frame(server, server.expect("viewfinder/next", session=SESSION), 1, 4))
    server.answer("session/press", session=SESSION, button="primary")
    server.answer("session/dismiss", session=SESSION)
    files = [{"path": "photo-1.jpg", "size": 41230}]
    server.send(
        server.event(SESSION, "ended", outcome={"kind": "dismissed", "by": "user"}),
        server.reply(result, RESULT | {"summary": "dismissed", "content": "/content", "files": files}),
    )
    assert server.process.wait(20) == 0 and server.receive() is None
    assert open(f"{server.root}/first.png", "rb").read(4) == b"\x89PNG"
    server.prints("refused: socket is refused", "viewfinder: 33x17", "dismissed", "/content/photo-1.jpg: 41230 bytes")
