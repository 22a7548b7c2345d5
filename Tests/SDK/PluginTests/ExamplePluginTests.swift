// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

/// The example extensions, each with a host that implements only the written protocol, without a sandbox.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ExamplePluginTests {
  private static let package = PackageDirectory.path

  /// Returns the directory of an example.
  private func folder(_ name: String) -> String { "\(Self.package)/Plugins/\(name)" }

  /// Returns the path of an example in C, which the build puts into the directory of the tests.
  private func program(_ name: String) throws -> String {
    "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/\(name)"
  }

  /// Runs a program with the Python host.
  private func play(_ scenario: String, _ program: String) throws {
    let host = "\(Self.package)/Tests/SDK/PluginTests/fake_host.py"
    try runShell("/usr/bin/python3 -I '\(host)' \(scenario) '\(program)'")
  }

  @Test(arguments: ["frame_logger", "refuses_version"])
  func `logs every frame and saves an image for each press in the frame logger`(scenario: String) throws {
    try play(scenario, try program("FrameLogger"))
  }

  @Test(arguments: ["notes", "refuses_version"])
  func `records each press in the shell script, and does not parse text values as messages`(scenario: String)
    throws
  {
    try play(scenario, "\(folder("Notes"))/notes.sh")
  }

  @Test(arguments: ["timelapse", "refuses_version"])
  func `keeps every nth frame in the time lapse, as the app context specifies`(scenario: String) throws {
    try play(scenario, "\(folder("Timelapse"))/timelapse.py")
  }

  @Test func `records exactly the frames on standard input with ffmpeg`() throws {
    try play("recorder", "\(folder("FFmpegRecorder"))/record.sh")
  }

  @Test(arguments: ["misbehaving", "misbehaving_exit", "misbehaving_version"])
  func `performs each requested misbehavior in the misbehaving extension`(scenario: String) throws {
    try play(scenario, try program("Misbehaving"))
  }

  @Test func `installs a bundle of all examples without warnings`() throws {
    let root = "/tmp/darkroom-plugins-\(Randomness.hexadecimal(bytes: 8))"
    let bundle = "\(root)/Sample"
    try FileSystem.makeDirectories("\(bundle)/Extensions")
    defer { try? FileSystem.removeTree(root) }
    let app =
      #"{"id":"org.darkroom.sample","name":"Sample","usageDescriptions":{"camera":"To test.","microphone":"To test."}}"#
    try FileSystem.replaceContents("\(bundle)/app.json", with: Array(app.utf8))
    let names = ["Dictaphone", "FFmpegRecorder", "FrameLogger", "Misbehaving", "Notes", "Timelapse"]
    for name in names { try runShell("cp -R '\(folder(name))' '\(bundle)/Extensions/'") }
    for name in ["FrameLogger", "Misbehaving"] {
      try runShell("cp '\(try program(name))' '\(bundle)/Extensions/\(name)/'")
    }
    let catalog = AppCatalog(appsDirectory: "\(root)/apps", groupsDirectory: "\(root)/groups")
    let installation = try catalog.install(bundle)
    #expect(installation.warnings == [])
    #expect(installation.app.extensions.count == names.count)
    for found in installation.app.extensions {
      try found.verifyDigest()
      #expect(found.manifest.capture.frames == Self.frames[FileSystem.lastComponent(found.path)])
    }
  }

  /// The frame transport of each example, as its README states.
  private static let frames: [String: FrameDelivery] = [
    "Dictaphone": .none, "FFmpegRecorder": .stdin, "FrameLogger": .ring, "Misbehaving": .none, "Notes": .none,
    "Timelapse": .ring,
  ]
}
