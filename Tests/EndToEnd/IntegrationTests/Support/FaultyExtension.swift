// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A Python extension that takes pictures, with an optional fault that its manifest selects.
struct FaultyExtension {
  /// The ID of the extension.
  static let id = "org.example.wrong.capture"
  /// The directory of the app bundle.
  let bundle: String

  /// Writes the bundle. `fault` is the fault of the extension, or `nothing`; with `touched`, the extension has
  /// no fault, and writes contacts with the viewfinder to the file `touches`. `policy` is a policy of the
  /// extension, or `nil` for `capture`.
  init(_ fault: String, in home: TestHome, policy: String? = nil) throws {
    bundle = home.file("Wrong")
    let directory = "Wrong/Extensions/Capture"
    for path in ["Wrong", "Wrong/Extensions", directory] {
      try FileSystem.makeDirectories(home.file(path))
      try home.giveOwnership(home.file(path))
    }
    let usage = #""usageDescriptions": { "camera": "The tests look through it." }"#
    try home.write("Wrong/app.json", #"{ "id": "org.example.wrong", "name": "Wrong", \#(usage) }"#)
    try home.write(
      "\(directory)/extension.json",
      """
      {
        "id": "\(Self.id)", "name": "Wrong", "executable": "wrong.py", "protocol": "1", "arguments": ["\(fault)"],
        "launchDeadline": 2, "policy": "\(policy == nil ? "capture" : "policy.json")", \(usage)
      }
      """
    )
    if let policy { try home.write("\(directory)/policy.json", policy) }
    try home.write("\(directory)/wrong.py", Self.program, mode: 0o755)
  }

  /// The Python program. Faults are selected by `fault ==`.
  static let program = #"""
    #!/usr/bin/python3 -I
    import json, os, select, socket, struct, sys, time

    fault = sys.argv[1]
    names = os.environ["LISTEN_FDNAMES"].split(":")
    fds = {name: 3 + index for index, name in enumerate(names)}


    def say(**message):
        os.write(fds["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())


    def picture(number):
        path = f"/session/photo-{number}.pgm"
        pixels = b"P5\n64 64\n255\n" + bytes(4096)
        if fault == "slow":
            with open(path, "wb") as file:
                file.write(pixels[:100])
                file.flush()
                time.sleep(0.4)
                file.write(pixels[100:])
            return
        try:
            with open(path + ".part", "wb") as file:
                file.write(pixels + bytes(8192))
            os.rename(path + ".part", path)
        except OSError:
            if fault == "careless":
                raise


    def handle(message):
        global photos
        method, params = message.get("method"), message.get("params", {})
        if fault == "loud" and method not in (None, "session/start"):
            say(method="log", params={"level": "info", "message": f"{method} {json.dumps(params)}"})
        if method == "session/start":
            if fault == "mute":
                time.sleep(60)
            if fault == "picky" and params["appContext"] is not None:
                params["appContext"]["mode"]
            say(id=message["id"], result={"protocolVersion": 1})
            if fault == "garbled":
                os.write(fds["host-out"], b"hello\n")
            if fault == "curious":
                try:
                    socket.socket()
                except OSError:
                    pass
            if fault == "jealous":
                say(id=9, method="context/update", params={"context": {"mine": os.urandom(4).hex()}, "ifContext": None})
            if fault != "dark":
                say(id=1, method="camera/start", params={"delivery": "latest"})
            say(id=2, method="capture/subscribe", params={})
            if fault == "touched":
                say(id=3, method="pointer/subscribe", params={})
        elif method == "pointer/event":
            text = "{phase} {contact} {x} {y}".format(**params)
            with open("/session/touches", "a") as file:
                file.write(text + "\n")
            say(method="log", params={"level": "info", "message": text})
        elif method == "capture/event" and params["phase"] == "began":
            photos += 1
            if fault == "leaving":
                activity = {"activityType": "org.example.look", "userInfo": {}}
                return say(id=7, method="session/openApplication", params={"activity": activity})
            picture(photos)
        elif method == "permission/changed" and fault == "proud":
            os.abort()
        elif method == "camera/ended" and fault == "stunned":
            time.sleep(60)
        elif message.get("id") == 1 and "result" in message and fault == "expectant" and last == 0:
            # Waits for the first frame, whatever else there is.
            select.select([fds["frame-event"]], [], [])
        elif message.get("id") == 1 and "error" in message and fault == "hopeful":
            os.abort()
        elif message.get("id") == 7 and "error" in message:
            say(method="log", params={"level": "info", "message": "the app was not opened"})
        elif message.get("id") == 9 and "error" in message:
            sys.exit("another session uses the context")
        elif method == "session/willDismiss" and fault != "deaf":
            sys.exit(0)


    photos, last, pending = 0, 0, b""
    watched = [fds[name] for name in ("host-in", "frame-event") if name in fds]
    while True:
        ready = select.select(watched, [], [])[0]
        if fds["host-in"] in ready:
            data = os.read(fds["host-in"], 65536)
            if not data:
                break
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                handle(json.loads(line))
        if len(watched) > 1 and fds["frame-event"] in ready:
            count = struct.unpack("<Q", os.read(fds["frame-event"], 8))[0]
            os.write(fds["frame-done"], struct.pack("<Q", count))
            last += count
            say(method="viewfinder/presented", params={"frame": last})
            if fault == "patient":
                # Waits for the next frame, whatever else there is.
                select.select([fds["frame-event"]], [], [])
    """#
}
