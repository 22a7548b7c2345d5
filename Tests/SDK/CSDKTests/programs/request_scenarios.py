# SPDX-License-Identifier: Apache-2.0
"""The requests of the test program without a session."""

import os

from fake_server import APP, EXTENSION, OTHER, SESSION

EXTENSION_VALUE = {"id": EXTENSION, "name": "Capture", "policy": "capture", "launchDeadline": 2.5, "usesProtocol": True}
CONTROL = {"id": "shutter", "extension": EXTENSION, "title": "Take", "requiresAuthentication": True}
APP_VALUE = {
    "id": APP,
    "name": 'Cäm "1"',
    "installedAt": 1750000000,
    "extensions": [EXTENSION_VALUE],
    "controls": [CONTROL, CONTROL | {"summary": "s", "requiresAuthentication": False}],
}
FAULT = {"severity": "warning", "file": "app.json", "key": "", "reason": "r", "fix": "f"}
PRINTED_APP = (
    f"app {APP} 'Cäm \"1\"' at 1750000000",
    f"  extension {EXTENSION} 'Capture' policy capture deadline 2.5 protocol 1",
    f"  control shutter of {EXTENSION} 'Take' - authentication 1",
    f"  control shutter of {EXTENSION} 'Take' s authentication 0",
)


def requests(server):
    server.prints('version 1 of 0.9 "beta", PID 1, state 1')
    request_apps(server)
    request_content(server)
    request_settings(server)
    request_policies(server)
    server.answer("session/list", {"sessions": [{"session": SESSION, "target": EXTENSION}]})
    server.prints("sessions: 1", f"  running {SESSION} {EXTENSION}")
    migrated = {"session": SESSION, "finding": "migrated", "content": "/c"}
    failed = {"session": OTHER, "finding": "failed", "message": "m"}
    server.answer("host/recover", {"sessions": [], "notices": [], "clean": True})
    server.answer("host/recover", {"sessions": [migrated, failed], "notices": ["n", "o"], "clean": False})
    server.prints(
        "recover: 1", "recover: 0", f"  recovered {SESSION} 2 /c -", f"  recovered {OTHER} 6 - m", "notices [n] [o]"
    )
    server.answer("host/prewarm", extension=EXTENSION, options={"camera": "pattern"})
    server.answer("host/prewarm", extension=EXTENSION)
    server.prints("prewarm: 0", "prewarm: 0")
    request_control(server)
    request_log(server)
    server.answer("rpc.discover", {"openrpc": ['é"', 1.5]})
    server.answer("apps/find", APP_VALUE, app="a b")
    server.prints("call: 0", 'result {"openrpc":["\\u00e9\\"",1.5]}', "call: 0")
    server.prints("call: -6 1 0 'the parameters are not a JSON object' -")
    server.end()


def request_control(server):
    press = {"app": APP, "control": "shutter"}
    server.answer("control/press", {"effect": "session", "session": SESSION}, **press, options={"place": "lockScreen"})
    server.expect("session/result", session=SESSION)
    server.prints("control: 1", f"session {SESSION}")
    server.answer("session/dismiss", session=SESSION)
    server.answer("control/press", {"effect": "applicationOpened", "delivery": "d", "reason": "control"}, **press)
    refused = {"kind": "refused", "refusal": "cameraMissing"}
    server.answer("control/press", error={"code": -32000, "message": "no camera", "data": refused}, **press)
    server.prints(
        "control: 0",
        "session 0",
        "control: -5021 1 0 'no camera' {\"kind\":\"refused\",\"refusal\":\"cameraMissing\"}",
    )


def request_log(server):
    ended = {"sequence": 7, "kind": "ended", "loggedAt": 5000000000, "session": SESSION, "app": APP}
    ended |= {"extension": EXTENSION, "outcome": "violated", "startedAt": 1, "endedAt": 2, "refusals": 3}
    repaired = {"sequence": 6, "kind": "repaired", "loggedAt": 4}
    entries = [ended | {"recordDigest": "sha256:0"}, repaired]
    server.answer("log/list", {"entries": entries, "failures": ["f"]})
    filtered = {"app": APP, "extension": EXTENSION, "outcomes": ["violated"], "since": 0, "until": 2, "limit": 5}
    server.answer("log/list", {"entries": [], "failures": []}, **filtered)
    server.prints(
        "log: 2",
        f"  entry 7 at 5000000000 kind 1: {SESSION} of {APP}, {EXTENSION}, outcome 3 from 1 to 2, refused 3, sha256:0",
        "  entry 6 at 4 kind 3: - of -, -, outcome 0 from 0 to 0, refused 0, -",
        "log: 0",
        "log: -6 1 0 'the outcome does not exist' -",
    )


def request_apps(server):
    server.answer(
        "apps/list", {"apps": [APP_VALUE, APP_VALUE | {"extensions": [], "controls": []}], "failures": ["a", "b"]}
    )
    server.answer("apps/list", {"apps": [], "failures": []})
    server.answer("apps/find", APP_VALUE, app=APP)
    server.prints(
        "list: 2", *PRINTED_APP, PRINTED_APP[0], "failures [a] [b]", "list: 0", "none 1", "find: 0", *PRINTED_APP
    )
    error = FAULT | {"severity": "error", "key": "id", "line": 3, "column": 14}
    server.answer(
        "apps/validate", {"diagnostics": [error, FAULT]}, bundle=f"{os.path.realpath(server.root)}/bundles/Camera"
    )
    server.answer("apps/install", {"app": APP_VALUE, "replaced": True, "warnings": [FAULT]}, bundle="/bundles/Camera")
    server.answer("apps/install", {"app": APP_VALUE, "replaced": False, "warnings": []}, bundle="/bundles/Camera")
    server.prints("validate: 2", "  fault 1 app.json 'id' 'r' 'f' at 3:14", "  fault 2 app.json '' 'r' 'f' at 0:0")
    server.prints("install: 0", f"installed {APP} replaced 1", "  fault 2 app.json '' 'r' 'f' at 0:0", "install: 0")
    server.answer("apps/uninstall", app=APP)
    server.answer("apps/uninstall", app=APP, pendingContent="discard")
    server.prints("uninstall: 0", "uninstall: 0")


def request_content(server):
    delivery = {"session": SESSION, "path": "/content/1", "files": 2, "bytes": 5000000000}
    server.answer("content/list", {"deliveries": [delivery, delivery | {"extension": EXTENSION}]}, app=APP)
    server.prints(
        "content: 2",
        f"  content of {SESSION} by - at /content/1: 2 files, 5000000000 bytes",
        f"  content of {SESSION} by {EXTENSION} at /content/1: 2 files, 5000000000 bytes",
    )
    place = os.path.realpath(server.root)
    server.answer("content/export", {"path": "/copies/1"}, app=APP, session=SESSION, directory=f"{place}/copies")
    for _ in range(2):
        server.answer("content/export", {"path": "/copies/1"}, app=APP, session=SESSION, directory="/copies")
    server.prints(
        "export: 0", "exported /copies/1", "export: 0", "export: -9 1 0 'the buffer is too small for the path' -"
    )
    server.answer("content/invalidate", app=APP, session=SESSION)
    entry = {"path": "a", "reason": "symbolicLink", "explanation": "a link"}
    server.answer(
        "content/quarantine", {"quarantined": [{"session": SESSION, "path": "/q", "entries": [entry, entry]}]}, app=APP
    )
    server.prints(
        "invalidate: 0", "quarantine: 1", f"  quarantine of {SESSION} at /q", *["    a: symbolicLink, a link"] * 2
    )
    server.answer("content/watch", {"subscription": 6}, app=APP)
    server.answer("content/watch", {"subscription": 7}, app=APP, consumer="gallery")
    server.answer("content/unwatch", subscription=7)
    server.prints("watch: 0", "watch: 0", "subscription 7", "unwatch: 0")


def request_settings(server):
    server.answer("context/get", {"context": '{"a":"é"}'}, app=APP)
    server.answer("context/get", {}, app=APP)
    server.answer("context/set", app=APP, context='{"a\\"":[1,"b  c"]}')
    server.answer("context/clear", app=APP)
    server.prints(
        'context {"a":"é"}', "context null", "set: 0", "set: -6 1 0 'the context is not valid JSON' -", "clear: 0"
    )
    devices = {"resource": "microphone", "decision": {"decision": "devices", "names": ["a", "b"]}}
    denied = {"resource": "photosAddOnly", "decision": {"decision": "denied"}}
    server.answer("permissions/get", {"permissions": [devices, denied]}, app=APP)
    server.prints("permissions: 2", "  resource 2 decision 5", "    [a] [b]", "  resource 4 decision 3", "   ")
    decision = {"decision": "devices", "names": ["/dev/video0", "b"]}
    server.answer("permissions/set", app=APP, resource="camera", decision=decision)
    server.answer("permissions/set", app=APP, resource="photosAddOnly", decision={"decision": "denied"})
    server.prints("permit: 0", "permit: 0", "permit: -6 1 0 'the resource or the decision does not exist' -")
    server.answer("permissions/reset", app=APP, resource="microphone")
    server.answer("permissions/reset", app=APP)
    server.prints("reset: 0", "reset: 0", "reset: -6 1 0 'the resource does not exist' -")
    server.answer("lock/get", {"state": "locked", "settable": True})
    server.answer("lock/set", state="unlocked")
    server.prints("lock: 1", "settable 1", "lock: 0", "lock: -6 1 0 'the lock state does not exist' -")


def request_policies(server):
    server.answer("policy/list", {"policies": ["capture", "strict"]})
    explanation = {"name": "capture", "digest": "sha256:1", "lines": ["a", "", "b"]}
    server.answer("policy/explain", explanation, policy="capture")
    server.answer(
        "policy/explain", explanation | {"lines": []}, policy=f"{os.path.realpath(server.root)}/./own.json", width=80
    )
    server.prints(
        "policies: 2", "names [capture] [strict]", "explain: 0", "explanation of capture, sha256:1", "lines [a] [] [b]"
    )
    proved = {"property": "p", "programs": "all", "proved": True}
    failed = proved | {"proved": False, "failure": "f"}
    server.answer("policy/verify", {"verdicts": [proved, failed], "proved": False}, policy="strict")
    server.answer("policy/verify", {"verdicts": [proved], "proved": True}, policy="strict")
    server.prints("explain: 0", "verify: 0", "  verdict p of all: 1 -", "  verdict p of all: 0 f", "verify: 1")
    call = {
        "subject": "ioctl",
        "effect": "weaker",
        "old": "EPERM",
        "new": "allowed",
        "conditions": ["a", "b"],
        "example": "e",
    }
    mount = {"subject": "/usr", "effect": "stricter", "old": "o", "new": "n", "conditions": []}
    server.answer(
        "policy/difference", {"calls": [call], "sandbox": [mount], "weaker": True}, old="strict", new="capture"
    )
    server.prints(
        "compare: 0",
        "weaker 1",
        "  call ioctl: 1 'EPERM' 'allowed' e",
        "    [a] [b]",
        "  sandbox /usr: 2 'o' 'n' -",
        "   ",
    )
