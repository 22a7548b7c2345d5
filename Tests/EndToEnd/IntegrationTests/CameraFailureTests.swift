// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the notification of an extension about a failed camera.
@Suite(.timeLimit(.minutes(20)), .waiting) struct CameraFailureTests {
  /// An extension that writes all messages to a file, and requests its camera again after the failure.
  private static let program = #"""
    #!/usr/bin/python3 -I
    import json, os
    names = os.environ["LISTEN_FDNAMES"].split(":")
    place = {name: 3 + index for index, name in enumerate(names)}
    def say(**message):
        os.write(place["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
    told = open("/session/told.txt", "w", buffering=1)
    for line in os.fdopen(place["host-in"]):
        told.write(line)
        message = json.loads(line)
        if message.get("method") == "session/start":
            say(id=message["id"], result={"protocolVersion": 1})
            say(id=1, method="camera/start", params={"delivery": "latest"})
        elif message.get("method") == "camera/ended":
            say(id=2, method="camera/start", params={"delivery": "latest"})
        elif message.get("id") == 2:
            break
    """#

  @Test(arguments: TestUser.available)
  func `notifies an extension of a failed camera without the path of the source`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    let app = "org.example.curious"
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    try home.write(
      "App/app.json",
      #"{"id": "\#(app)", "name": "Curious", "usageDescriptions": {"camera": "To see."}}"#
    )
    try home.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(app).capture", "name": "Capture", "executable": "capture.py", "protocol": "1","#
        + #""usageDescriptions": {"camera": "To see."}}"#
    )
    try home.write("App/Extensions/Capture/capture.py", Self.program, mode: 0o755)
    try home.install(home.file("App"))
    #expect(try home.darkroom("permission", ["set", app, "camera", "authorized"]).code == 0)
    // The second frame is truncated.
    let frame = "FRAME\n" + String(repeating: "x", count: 96)
    let film = try home.write("holidays.y4m", "YUV4MPEG2 W8 H8 F10:1\n\(frame)\(frame.dropLast(9))")
    let session = try home.run("capture", of: app, script: "", options: ["--camera", film])
    #expect(session.command.code == 0, "\(session.command.errors)")
    let messages = try session.text("told.txt")
    #expect(messages.contains(#""name":"Film""#))
    #expect(messages.contains(#""reason":"failed""#))
    #expect(messages.contains("4002"))
    #expect(!messages.contains("holidays") && !messages.contains(home.directory), "\(messages)")
    // The record for the user has the path and the reason.
    #expect("\(session.record)".contains("\(film): at byte"))
  }
}
