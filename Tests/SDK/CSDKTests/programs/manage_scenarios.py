# SPDX-License-Identifier: Apache-2.0
"""Apps, storage, the photo library, the session log and the machine."""

from fake_server import APP, EXTENSION, SESSION

REFUSED = {"code": -32000, "message": "no", "data": {"kind": "store"}}
UNUSABLE = "the server sent a result without a valid"


def manage(server):
    apps(server)
    storage(server)
    photos(server)
    log(server)
    machine(server)
    server.end()


def apps(server):
    server.answer("apps/open", {"delivery": SESSION}, app=APP)
    server.answer("apps/open", {"delivery": SESSION}, app=APP, activity='{"activityType":"a"}')
    server.answer("apps/open", {"delivery": SESSION}, app=APP)
    server.prints("open: 0", f"  {SESSION}", "open: 0", "open: -9 'the buffer is too small for the delivery'")
    checks = [{"condition": "installed"}, {"condition": "appOpenable", "message": "no mailbox"}]
    server.answer("control/readiness", {"ready": False, "checks": checks}, extension=EXTENSION, camera="pattern")
    server.answer("control/readiness", {"ready": True, "checks": []}, extension=EXTENSION)
    server.prints("readiness: 0", "  1 -", "  8 no mailbox", "readiness: 1")
    newest = {"generation": 2, "files": 3, "bytes": 4, "publishedAt": 5, "current": True, "used": False}
    older = newest | {"generation": 1, "current": False, "used": True}
    server.answer("assets/publish", newest, app=APP, directory=f"{server.root}/shared")
    server.answer("assets/publish", newest, app=APP, directory="/shared")
    server.prints("publish: 0", "  2 1", "publish: 0")
    server.answer("assets/list", {"sets": [newest, older]}, app=APP)
    server.prints("assets: 2", "  2: 3 files, 4 bytes, at 5, 1 0", "  1: 3 files, 4 bytes, at 5, 0 1")
    server.answer("assets/clear", {"cleared": True}, app=APP)
    server.answer("assets/clear", {"cleared": 1}, is_checked=False, app=APP)
    server.prints("clear: 1", f"clear: -5 '{UNUSABLE} 'cleared''")


def storage(server):
    reports = [{"state": "unlocked", "reason": "unlocked by the user"}]
    server.answer("lock/status", {"state": "locked", "wasUnlocked": True, "reports": reports})
    server.answer("lock/lock", error=REFUSED)
    server.prints("status: 0", "  1 1: 2 unlocked by the user", "lock: -5014 'no'")
    server.answer("storage/limits", {"bytes": 9, "reserve": 0})
    server.prints("limits: 0", "  limits 9 -1 -1 0")
    server.answer("storage/setLimits", app=APP, limits={"sessions": 0, "reserve": 0})
    usage = {"bytes": 1, "files": 2, "sessions": 3, "free": 4, "limits": {"files": 6}}
    server.answer("storage/usage", usage | {"refusal": "full"}, app=APP)
    server.prints("set: 0", "usage: 0", "  1 2 3 4 full", "  limits -1 6 -1 -1")
    server.answer("host/emptyTrash", {"deleted": 5})
    server.prints("limits: -6 'a structure is missing or was not initialized with its DARKROOM_HOST_…_INIT'")
    server.prints("trash: 0", "  5")


def photos(server):
    imported = {"id": "A/1", "title": "Sunset", "mediaType": "image", "path": "/p", "bytes": 1, "createdAt": 2}
    imported |= {"app": APP}
    captured = imported | {"id": "B/2", "session": SESSION}
    first, second = f"  A/1 Sunset /p image {APP} - 1 2", f"  B/2 Sunset /p image {APP} {SESSION} 1 2"
    server.answer("photos/list", {"assets": [captured, imported]}, app=APP, session=SESSION, limit=7)
    server.answer("photos/list", {"assets": [{"id": 1}]}, is_checked=False)
    server.prints("photos: 2", second, first, f"photos: -5 '{UNUSABLE} 'id''")
    added = {"assets": [imported], "failures": ["b.jpg cannot be read"]}
    server.answer("photos/add", added, app=APP, files=["/a.jpg", f"{server.root}/b.jpg"])
    server.answer("photos/add", {"assets": [imported], "failures": []}, app=APP, files=["/a.jpg"])
    server.prints("add: 1", first, "  'b.jpg cannot be read'", "add: 1")
    server.answer("photos/export", {"path": "/c.jpg"}, asset="A/1", directory="/copies")
    server.answer("photos/delete", asset="A/1")
    server.answer("photos/select", app=APP, assets=["A/1", "B/2"])
    server.answer("photos/select", app=APP, assets=[])
    server.answer("photos/selection", {"selected": ["A/1", "B/2"]}, app=APP)
    server.prints("export: 0", "  /c.jpg", "delete: 0", "select: 0", "select: 0", "selected: 2", "  'A/1'", "  'B/2'")
    differences = [{"asset": imported, "missing": True}]
    server.answer("photos/verify", {"discrepancies": differences, "count": 120})
    server.answer("photos/recover", {"changes": 2})
    server.answer("photos/recover", {"changes": -1}, is_checked=False)
    server.prints("verify: 120", "  A/1 1", "recover: 2", f"recover: -5 '{UNUSABLE} 'changes''")


def log(server):
    server.answer("log/record", {"record": '{"version": 3}'}, session=SESSION)
    server.answer("log/record", {}, session=SESSION)
    server.prints("record: 1", '  {"version": 3}', "record: 0", "  -")
    server.answer("log/head", {"head": "7:ab"})
    server.answer("log/head", {})
    server.prints("head: 1", "  7:ab", "head: 0")
    invalid = {"valid": False, "entries": 6, "head": "6:cd", "invalidLine": 7, "invalidReason": "changed"}
    invalid |= {"headComparison": "truncated", "changedRecords": ["/r"]}
    server.answer("log/verify", invalid, head="7:ab")
    server.answer("log/verify", {"valid": True, "entries": 0, "changedRecords": []})
    server.prints("log: 0", "  6 6:cd 7 changed 2", "  '/r'", "log: 1")
    use = {"resource": "microphone", "device": "Built-in", "session": SESSION, "app": APP, "extension": EXTENSION}
    use |= {"startedAt": 8, "running": True}
    uses = {"uses": [use, use | {"milliseconds": 9, "running": False}], "failures": ["line 3"]}
    server.answer("log/deviceUses", uses, app=APP, resource="microphone", limit=3)
    line = f"  2 Built-in {SESSION} {APP} {EXTENSION} 8"
    server.prints("uses: 2", f"{line} 0 1", f"{line} 9 0", "  'line 3'", "uses: -6 'the resource has no devices'")


def machine(server):
    session = {"session": SESSION, "app": APP, "extension": EXTENSION, "process": 5, "startedAt": 6, "prewarmed": True}
    server.answer("host/sessions", {"sessions": [session]})
    server.prints("sessions: 1", f"  {SESSION} {APP} {EXTENSION} 5 6 1")
    fix = {"sentence": "Allow user namespaces", "commands": ["sysctl"], "file": {"path": "/etc/c", "text": "x"}}
    part = {"name": "userNamespaces", "state": "advice", "detail": "limited", "fixes": [fix]}
    layer = {"name": "landlock", "state": "missing", "detail": "old kernel", "fixes": []}
    trial = {"policy": "strict", "status": "degraded", "layers": [layer], "remarks": ["slow"]}
    result = {"status": "degraded", "machine": [part], "trials": [trial]}
    server.answer("host/diagnose", result, policies=["strict", f"{server.root}/./own.json"])
    server.prints("diagnose: 0", "  2", "  userNamespaces 2 limited", "    Allow user namespaces: sysctl, /etc/c, x")
    server.prints("  strict 2 slow", "  landlock 3 old kernel")
    capture = {"path": "/a.png", "bytes": 1, "frames": 2, "width": 3, "height": 4, "frameRate": 29.5}
    settings = {'zoom"absolute': 3, "focus": -1}
    server.answer("device/capture", capture, camera="pattern", path="/a.png", frames=2, settings=settings)
    server.answer("device/capture", capture, camera="pattern", path="/a.png")
    server.prints("capture: 0", "  /a.png: 1 bytes, 2 frames, 3x4, 29.5", "capture: 0")
