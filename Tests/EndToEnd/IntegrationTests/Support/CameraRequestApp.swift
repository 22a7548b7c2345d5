// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// An app whose Python extension requests its camera and reports the result.
struct CameraRequestApp {
  /// The ID of the app.
  static let app = "org.example.watcher"
  /// The ID of the extension.
  static let id = "\(app).capture"

  /// A Python extension that requests the camera. With the app context `"stay"` it runs until the permission
  /// is revoked.
  private static let program = #"""
    #!/usr/bin/python3 -I
    import json, os, select
    names = os.environ["LISTEN_FDNAMES"].split(":")
    place = {name: 3 + index for index, name in enumerate(names)}
    def send(**message):
        os.write(place["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
    stay = False
    for line in os.fdopen(place["host-in"]):
        message = json.loads(line)
        if message.get("method") == "session/start":
            stay = message["params"]["appContext"] == "stay"
            send(id=message["id"], result={"protocolVersion": 1})
            send(id=1, method="camera/start", params={"delivery": "latest"})
        elif message.get("id") == 1 and "error" in message:
            print("refused", message["error"]["code"], flush=True)
            break
        elif message.get("id") == 1:
            select.select([place["frame-event"]], [], [])
            open("/session/seen.txt", "w").write("a frame")
            print("granted", flush=True)
            if not stay: break
        elif message.get("method") == "permission/changed":
            print("changed to", message["params"]["permissions"]["camera"], flush=True)
            break
    """#

  /// A Python script that answers the prompt of a command on a pseudoterminal.
  private static let promptAnswerer = #"""
    import os, pty, sys
    child, manager = pty.fork()
    if child == 0: os.execvp(sys.argv[2], sys.argv[2:])
    seen, asked = b"", False
    while True:
        more = words(manager)
        if not more: break
        seen += more
        if not asked and b"[y/N] " in seen:
            asked = True
            os.write(manager, sys.argv[1].encode().decode("unicode_escape").encode())
    sys.stdout.buffer.write(seen)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """#

  let home: TestHome

  /// Installs the app, and creates two video files as cameras.
  init(_ user: TestUser) throws {
    home = try TestHome(user)
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    try home.write(
      "App/app.json",
      #"{"id": "\#(Self.app)", "name": "Watcher", "usageDescriptions": {"camera": "To see."}}"#
    )
    try home.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(Self.id)", "name": "Capture", "executable": "capture.py", "protocol": "1","#
        + #""usageDescriptions": {"camera": "To see."}}"#
    )
    try home.write("App/Extensions/Capture/capture.py", Self.program + "\n", mode: 0o755)
    try home.install(home.file("App"))
    for name in ["front.y4m", "back.y4m"] {
      let frame = "FRAME\n" + String(repeating: "x", count: 96)
      try home.write(name, "YUV4MPEG2 W8 H8 F10:1\n" + String(repeating: frame, count: 40))
    }
  }

  /// Sets the camera permission.
  @discardableResult
  func setPermission(_ arguments: String...) throws -> JSONValue {
    let result = try home.darkroom("permission", ["set", Self.app, "camera"] + arguments + ["--json"])
    try #require(result.code == 0, "\(result.errors)")
    return try home.json(result.output)
  }

  /// Returns the recorded camera uses.
  func uses() throws -> [JSONValue] {
    let result = try home.darkroom("permission", ["uses", Self.app, "--json"])
    try #require(result.code == 0, "\(result.errors)")
    return try #require(try home.json(result.output)["uses"]?.elements)
  }

  /// Runs a session with a camera.
  func run(_ camera: String, _ options: [String] = []) throws -> TestHome.Session {
    try home.run("capture", of: Self.app, script: "", options: ["--camera", home.file(camera)] + options)
  }

  /// Starts a session whose extension keeps running, and waits until it has received a frame.
  func startLasting(_ camera: String) throws -> Command {
    #expect(try home.darkroom("context", ["set", Self.app, #""stay""#]).code == 0)
    let output = home.file("\(home.nextOutputName).err")
    let record = ["--record", home.file("record.json")]
    let command = try home.startDarkroom("run", ["--camera", home.file(camera)] + record + [Self.id])
    try command.wait {
      String(decoding: try FileSystem.contents(output) ?? [], as: UTF8.self).contains("granted\n")
    }
    return command
  }

  /// Runs a session whose user answers the prompt; returns the output of the terminal.
  func run(_ camera: String, answering answer: String) throws -> Command.Result {
    let program = try home.write("answering.py", TerminalReader.script + Self.promptAnswerer)
    let record = ["--record", home.file("record.json")]
    return try home.start(
      ["/usr/bin/python3", program, answer, home.programs.darkroom, "run", "--root", home.root]
        + ["--camera", home.file(camera)] + record + [Self.id]
    ).end()
  }
}
