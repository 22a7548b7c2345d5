// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the camera kiosk, a graphical program that uses the host over D-Bus.
@Suite(.timeLimit(.minutes(20)), .enabled(if: KioskRig.canStart), .waiting) struct KioskTests {
  private static let snapshot = "\(TestHome.app).snapshot"
  /// The app of the extension that records the lock state.
  private static let witness = "org.example.witness"

  /// An extension that writes a file for each change of the lock state.
  private static let witnessProgram = """
    #!/usr/bin/python3 -BsE
    import darkroom

    with darkroom.Session() as session:
        session.start_camera()
        for event in session:
            if isinstance(event, darkroom.LockChanged):
                with open(f"/session/{event.lock_state}.txt", "w") as file:
                    file.write("The host has reported this state.")
    """

  /// Writes the bundle of the extension that records the lock state.
  private static func writeWitness(_ home: TestHome) throws -> String {
    let folder = "Witness/Extensions/Record"
    try FileSystem.makeDirectories(home.file(folder), mode: 0o755)
    let reason = #""usageDescriptions": {"camera": "To show a viewfinder."}"#
    try home.write("Witness/app.json", #"{"id": "\#(witness)", "name": "Witness", \#(reason)}"#)
    try home.write(
      "\(folder)/extension.json",
      #"{"id": "\#(witness).record", "name": "Record", "executable": "record.py", "protocol": "1", \#(reason)}"#
    )
    try home.write("\(folder)/record.py", witnessProgram, mode: 0o755)
    try runShell("cp -R '\(TestPrograms.package)/Sources/SDK/Python/darkroom' '\(home.file(folder))/'")
    return home.file("Witness")
  }

  /// Whether a row of the screen contains all bars of the test pattern, in their order.
  private func showsBars(_ rig: KioskRig, row: Int) throws -> Bool {
    let screen = try rig.compositor.screen()
    var columns = 0..<screen.width
    for bar in ScreenshotTests.colours {
      let found = columns.first { column in
        zip(screen.colour(column, row), bar).allSatisfy { abs($0 - $1) <= 8 }
      }
      guard let found else { return false }
      columns = found..<screen.width
    }
    return true
  }

  /// Writes the picture of the tutorial, with the image of the demo as the camera.
  private func writePicture(_ rig: KioskRig) throws {
    try rig.startKiosk(Self.snapshot, camera: rig.home.programs.picture)
    for number in 1...2 {
      try rig.awaitSession(number)
      try rig.type("space")
    }
    try rig.awaitSession(3)
    try rig.writeScreenshot("\(TestPrograms.package)/Sources/Darkroom.docc/Resources/kiosk.png")
    try rig.stopKiosk()
  }

  @Test func `shows the viewfinder, and lists the file of a picture that the space key has taken`() throws {
    let rig = try KioskRig(width: 960, height: 720) { $0.programs.snapshotBundle }
    try rig.startHost()
    try rig.startKiosk(Self.snapshot, camera: "pattern:320x240@30")
    try rig.awaitSession(1)
    #expect(try rig.events().contains("viewfinder 320x240"))
    // The row is above the moving box of the pattern, and below its number.
    try rig.wait { try showsBars(rig, row: 180) }
    try rig.type("space")
    let capture = try rig.awaitEvent("capture ").split(separator: " ").map(String.init)
    try #require(capture.count == 3)
    #expect(capture[2] == "photo-1.jpg")
    let content = "apps/\(TestHome.app)/container/SessionContent"
    #expect(try rig.home.names("\(content)/\(capture[1])") == ["photo-1.jpg"])
    // The thumbnail at the lower left has the colors of the bars.
    try rig.wait {
      let screen = try rig.compositor.screen()
      return Set((20..<120).map { screen.colour($0, 640) }).count >= ScreenshotTests.colours.count
    }
    // The viewfinder of the next session follows.
    try rig.awaitSession(2)
    try rig.wait { try showsBars(rig, row: 180) }
    try rig.stopKiosk()
    if CurrentProcess.environment("DARKROOM_WRITE_DOCUMENTS") != nil { try writePicture(rig) }
    try rig.stop()
  }

  @Test func `the L key locks and unlocks, and the session is notified`() throws {
    let rig = try KioskRig(width: 640, height: 480, bundle: Self.writeWitness)
    try rig.startHost()
    try rig.startKiosk("\(Self.witness).record", camera: "pattern:320x240@30")
    try rig.awaitSession(1)
    #expect(try rig.events().contains("lock unlocked"))
    try rig.type("l")
    try rig.awaitEvent("lock locked")
    // A press ends the session, which delivers the file that the extension has written.
    try rig.type("space")
    #expect(try rig.awaitEvent("capture ").hasSuffix(" locked.txt"))
    try rig.awaitSession(2)
    try rig.type("l")
    try rig.wait { try rig.events().count { $0 == "lock unlocked" } >= 2 }
    try rig.type("space")
    try rig.wait { try rig.events().contains { $0.hasPrefix("capture ") && $0.hasSuffix(" unlocked.txt") } }
    try rig.awaitSession(3)
    try rig.stopKiosk()
    try rig.stop()
  }

  @Test func `shows a fix while the host is not running, and continues when the host starts`() throws {
    let rig = try KioskRig(width: 640, height: 480) { $0.programs.snapshotBundle }
    try rig.startKiosk(Self.snapshot, camera: "pattern:320x240@30")
    try rig.awaitEvent("failed Darkroom is not running")
    try rig.startHost()
    try rig.awaitSession(1)
    try rig.stopKiosk()
    try rig.stop()
  }
}
