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
    def note(orientation):
        told.write(orientation + "\n")
        print("told", orientation, flush=True)
    for line in os.fdopen(place["host-in"]):
        message = json.loads(line)
        method, params = message.get("method"), message.get("params")
        if method == "session/start":
            note(params["scene"]["orientation"])
            say(id=message["id"], result={"protocolVersion": 1})
            say(id=1, method="capture/subscribe", params={})
        elif method == "scene/changed" and params["phase"] == "active":
            note(params["orientation"])
        elif method == "session/willDismiss":
            break
    """#

  /// The ID of the app.
  private static let app = "org.example.turned"

  /// Installs the extension with the orientations of its manifest, as JSON.
  private func install(_ home: TestHome, orientations: String) throws {
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    try home.write("App/app.json", #"{"id": "\#(Self.app)", "name": "Turned"}"#)
    try home.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(Self.app).capture", "name": "Capture", "executable": "capture.py", "protocol": "1","#
        + #""orientations": \#(orientations)}"#
    )
    try home.write("App/Extensions/Capture/capture.py", Self.program, mode: 0o755)
    try home.install(home.file("App"))
  }

  @Test(arguments: TestUser.available)
  func `starts in the first orientation of the manifest, and delivers only listed ones`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    // A sensor of this machine must not rotate the session.
    home.variables = ["DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent"]
    try install(home, orientations: #"["landscapeLeft", "portraitUpsideDown"]"#)
    let script = """
      orientation portrait
      orientation portraitUpsideDown
      orientation landscapeRight
      orientation landscapeLeft
      dismiss
      """
    let session = try home.run("capture", of: Self.app, script: script)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.text("told.txt") == "landscapeLeft\nportraitUpsideDown\nlandscapeLeft\n")
  }

  @Test func `reads the sensor during a session if the manifest lists several orientations`() throws {
    let sensor = try SensorBus()
    let home = try TestHome(try #require(TestUser.available.first))
    home.variables = ["DBUS_SYSTEM_BUS_ADDRESS=\(sensor.address)"]
    try sensor.sendCommand("turn bottom-up")
    try install(home, orientations: #"["landscapeLeft", "portraitUpsideDown"]"#)
    let script = """
      await log "told portraitUpsideDown"
      dismiss
      """
    let session = try home.run("capture", of: Self.app, script: script)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.text("told.txt") == "landscapeLeft\nportraitUpsideDown\n")
    #expect(sensor.nextCall() == "claimed")
    #expect(sensor.nextCall() == "released")
  }

  @Test func `does not claim the sensor if the manifest lists one orientation`() throws {
    let sensor = try SensorBus()
    let home = try TestHome(try #require(TestUser.available.first))
    home.variables = ["DBUS_SYSTEM_BUS_ADDRESS=\(sensor.address)"]
    try install(home, orientations: #"["portraitUpsideDown"]"#)
    let session = try home.run("capture", of: Self.app, script: "wait 300ms\ndismiss")
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.text("told.txt") == "portraitUpsideDown\n")
    // A claim would be printed before the reply to this command.
    try sensor.sendCommand("turn left-up")
  }
}
