#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""An extension that increases the brightness of its camera, writes the result, and waits for its dismissal."""

import json
import os

NAMES = os.environ["LISTEN_FDNAMES"].split(":")
READER = os.fdopen(3 + NAMES.index("host-in"))
WRITER = os.fdopen(3 + NAMES.index("host-out"), "w")
ANSWERS = {}
DIRECTORY = ""


def send(**message):
    """Sends a message to the host."""
    print(json.dumps({"jsonrpc": "2.0", **message}), file=WRITER, flush=True)


for line in READER:
    message = json.loads(line)
    method = message.get("method")
    if method == "session/start":
        DIRECTORY = message["params"]["sessionDirectory"]
        send(id=message["id"], result={"protocolVersion": 1})
        send(id="start", method="camera/start", params={"delivery": "latest"})
        send(id="before", method="camera/settings", params={})
        send(id="set", method="camera/set", params={"name": "brightness", "value": 222})
        send(id="outside", method="camera/set", params={"name": "brightness", "value": 1000})
        send(id="after", method="camera/settings", params={})
    elif method == "session/willDismiss":
        break
    elif "id" in message:
        ANSWERS[message["id"]] = message
        if len(ANSWERS) == 5:
            with open(f"{DIRECTORY}/settings.new", "w") as file:
                json.dump(ANSWERS, file)
            os.rename(file.name, f"{DIRECTORY}/settings.json")
