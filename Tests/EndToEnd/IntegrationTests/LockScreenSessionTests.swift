// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of unusual sessions on the lock screen.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: Compositor.canLock && TestPrograms.has("sway", "swaymsg", "grim", "wtype")),
  .waiting
)
struct LockScreenSessionTests {
  private static func compositor() throws -> Compositor {
    try Compositor(width: LockedScreen.width, height: LockedScreen.height, supportsLocking: true)
  }

  /// Returns the manifests of an app whose control launches an extension.
  private static func app(_ captureExtension: String, open: String = "/bin/true") -> [String: String] {
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    return [
      "App/app.json": #"{"id": "\#(TestHome.app)", "name": "Odd", "open": ["\#(open)"], "#
        + #""controls": [{"id": "\#(TestHome.app).shutter", "title": "Shoot", "extension": "\#(TestHome.app).capture"}], "#
        + "\(reason)}",
      "App/Extensions/Capture/extension.json": #"{"id": "\#(TestHome.app).capture", "name": "Capture", "#
        + "\(captureExtension), \(reason)}",
    ]
  }

  private static func allowCamera(_ locked: LockedScreen) throws {
    #expect(try locked.home.darkroom("permission", ["set", TestHome.app, "camera", "authorized"]).code == 0)
  }

  @Test func `a session without a viewfinder can be dismissed`() throws {
    var files = Self.app(#""executable": "capture.sh", "protocol": "none""#)
    files["App/Extensions/Capture/capture.sh"] = "#!/bin/sh\nexec sleep 1000\n"
    let locked = try LockedScreen(TestUser.available[0], try Self.compositor(), app: files)
    try Self.allowCamera(locked)
    try locked.awaitLockScreen()
    try locked.pressCameraButton { try !locked.home.names("sessions").isEmpty }
    // The frame that marks an extension's screen is visible.
    try locked.awaitColours([(1, 1, LockedScreen.frame), (LockedScreen.width / 2, 192, [0, 0, 0])])
    try locked.type("d") { try locked.home.names("sessions").isEmpty }
    try locked.awaitLockScreen()
    #expect(try locked.state() == "locked" && !locked.hasEnded())
  }

  @Test func `opens an app only for an answer that follows its prompt`()
    throws
  {
    let files = Self.app(#""executable": "Misbehaving", "protocol": "1""#)
    let locked = try LockedScreen(
      TestUser.available[0],
      try Self.compositor(),
      app: files,
      programs: ["App/Extensions/Capture/Misbehaving": "Misbehaving"]
    )
    try Self.allowCamera(locked)
    let orders = #""open-application=once""#
    #expect(try locked.home.darkroom("context", ["set", TestHome.app, orders]).code == 0)
    try locked.awaitLockScreen()
    // The key of the camera and an unrequested answer arrive before the lock screen reads either.
    locked.command.signal(SIGSTOP)
    try locked.compositor.type(["-s", "300", "-k", "XF86WebCam", "0000", "-k", "Return", "-s", "1000"])
    locked.command.signal(SIGCONT)
    let face = [
      (1, 1, LockedScreen.background), (LockedScreen.width / 2, 192, LockedScreen.background),
    ]
    try locked.awaitColours(face)
    #expect(try locked.home.names("sessions").count == 1)
    #expect(try locked.state() == "locked" && !locked.hasEnded())
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(
      result.code == 0 && result.errors.contains("the session ended because its app was opened"),
      "\(result.errors)"
    )
    #expect(try locked.state() == "unlocked")
    try locked.home.expectNothingLeft()
  }
}
