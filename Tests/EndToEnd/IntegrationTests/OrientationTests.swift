// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the device orientation that an installed extension gets.
@Suite(.timeLimit(.minutes(20)), .waiting) struct OrientationTests {
  /// An extension that writes down the orientation of each scene.
  private static let program = #"""
    #!/usr/bin/python3 -I
    import json, os
    names = os.environ["LISTEN_FDNAMES"].split(":")
    place = {name: 3 + index for index, name in enumerate(names)}
    def say(**message):
        os.write(place["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
    told = open("/session/told.txt", "w", buffering=1)
    for line in os.fdopen(place["host-in"]):
        message = json.loads(line)
        method, params = message.get("method"), message.get("params")
        if method == "session/start":
            told.write(params["scene"]["orientation"] + "\n")
            say(id=message["id"], result={"protocolVersion": 1})
            say(id=1, method="capture/subscribe", params={})
        elif method == "scene/changed" and params["phase"] == "active":
            told.write(params["orientation"] + "\n")
        elif method == "session/willDismiss":
            break
    """#

  @Test(arguments: TestUser.available)
  func `starts in the first orientation of the manifest, and delivers only listed ones`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    let app = "org.example.turned"
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    try home.write("App/app.json", #"{"id": "\#(app)", "name": "Turned"}"#)
    try home.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(app).capture", "name": "Capture", "executable": "capture.py", "protocol": "1","#
        + #""orientations": ["landscapeLeft", "portraitUpsideDown"]}"#
    )
    try home.write("App/Extensions/Capture/capture.py", Self.program, mode: 0o755)
    try home.install(home.file("App"))
    let script = """
      orientation portrait
      orientation portraitUpsideDown
      orientation landscapeRight
      orientation landscapeLeft
      dismiss
      """
    let session = try home.run("capture", of: app, script: script)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.text("told.txt") == "landscapeLeft\nportraitUpsideDown\nlandscapeLeft\n")
  }
}
