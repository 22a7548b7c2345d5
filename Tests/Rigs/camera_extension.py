#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""An extension that records messages about its camera, tries to open the camera without the host, and exits."""

import json
import os
import select

NAMES = os.environ["LISTEN_FDNAMES"].split(":")
READER = os.fdopen(3 + NAMES.index("host-in"))
WRITER = os.fdopen(3 + NAMES.index("host-out"), "w")
NEWS = []


def send(**message):
    """Sends a message to the host."""
    print(json.dumps({"jsonrpc": "2.0", **message}), file=WRITER, flush=True)


def own_camera():
    """Returns the result of opening the camera without the host."""
    try:
        os.close(os.open("/dev/video0", os.O_RDWR))
    except OSError as error:
        return error.strerror
    return "opened"


def save(name, value):
    """Writes a value into the session content atomically."""
    with open(f"{DIRECTORY}/{name}.new", "w") as file:
        json.dump(value, file)
    os.rename(file.name, f"{DIRECTORY}/{name}")


DIRECTORY = ""
for line in READER:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params", {})
    if method == "session/start":
        DIRECTORY = params["sessionDirectory"]
        send(id=message["id"], result={"protocolVersion": 1})
        send(id="first", method="camera/start", params={"delivery": "latest"})
        send(id="buttons", method="capture/subscribe", params={})
    elif message.get("id") == "first":
        event = 3 + NAMES.index("frame-event")
        select.select([event], [], [])
        frames = int.from_bytes(os.read(event, 8), "little")
        os.write(3 + NAMES.index("frame-done"), frames.to_bytes(8, "little"))
        send(method="viewfinder/presented", params={"frame": frames})
        save("flowing.json", {"frames": frames, "own": own_camera()})
    elif method in ("camera/ended", "camera/changed"):
        NEWS.append(message)
        if method == "camera/ended":
            send(id="second", method="camera/start", params={"delivery": "latest"})
    elif message.get("id") == "second":
        NEWS.append(message)
        save("news.json", NEWS)
        send(id="end", method="session/dismiss", params={})
    elif method == "session/willDismiss":
        break
