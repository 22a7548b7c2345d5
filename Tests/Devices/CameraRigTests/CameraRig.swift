// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// One run of a job of `Tests/Rigs` in a virtual machine with virtual cameras, and what it has left.
final class CameraRig {
  /// What a command of the job has printed and ended with.
  struct Result {
    /// What it printed.
    var text: String
    /// What it said beside that.
    var notes: String
    /// Its exit code.
    var code: Int
    /// What it printed, as JSON.
    var json: JSONValue
  }

  /// What the machine shares with this one.
  let directory: String
  private static var rigs: String { "\(PackageDirectory.path)/Tests/Rigs" }

  /// Where `.ci/setup` has put the kernel.
  static var boot: String {
    /// A variable that is set to something.
    func variable(_ name: String) -> String? {
      CurrentProcess.environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let place = variable("DARKROOM_RIG") { return place }
    let cache = variable("XDG_CACHE_HOME") ?? "\(variable("HOME") ?? "")/.cache"
    return "\(cache)/darkroom-rig"
  }

  /// Boots the machine, and waits for the job, which is told what else there is.
  init(_ job: String, with extra: String = "") throws {
    directory = "/tmp/darkroom-camera-rig-\(Randomness.hexadecimal(bytes: 8))"
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    try FileSystem.makeDirectories("\(directory)/bundle", mode: 0o755)
    try write(
      [
        "id": "org.example.rig", "name": "Rig", "open": ["/bin/true"],
        "usageDescriptions": ["camera": "It looks at the rig."],
      ],
      "bundle/app.json"
    )
    // What only a debugger reads takes an emulator seconds to copy and to digest.
    try runShell("strip -o '\(try addExtension("snapshot"))' '\(programs)/Snapshot'")
    for (program, name) in [("camera_extension.py", "capture"), ("camera_settings.py", "settings")] {
      try runShell("install -m 755 '\(Self.rigs)/\(program)' '\(try addExtension(name))'")
    }
    try runShell(
      """
      '\(Self.rigs)/machine.py' --boot '\(Self.boot)' --timeout 600 '\(directory)' '\(Self.rigs)/\(job)' \
      PROGRAMS='\(programs)' RIGS='\(Self.rigs)' BOOT='\(Self.boot)' \
      WITH='\(extra)' || { code=$?; cat '\(directory)/console'; exit $code; }
      """
    )
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Adds an extension to the bundle, and gives the path of its program, which is not there yet.
  private func addExtension(_ name: String) throws -> String {
    let place = "bundle/Extensions/\(name)"
    try FileSystem.makeDirectories("\(directory)/\(place)/bin", mode: 0o755)
    try write(
      [
        "id": .string("org.example.rig.\(name)"), "name": "Rig", "executable": "bin/program", "protocol": "1",
        "policy": "capture", "launchDeadline": 30, "usageDescriptions": ["camera": "It looks at the rig."],
      ],
      "\(place)/extension.json"
    )
    return "\(directory)/\(place)/bin/program"
  }

  /// Writes a manifest.
  private func write(_ manifest: JSONValue, _ name: String) throws {
    try FileSystem.replaceContents("\(directory)/\(name)", with: manifest.bytes(.indented), mode: 0o644)
  }

  /// What a file of the job holds.
  func bytes(_ name: String) throws -> [UInt8] {
    try #require(try FileSystem.contents("\(directory)/\(name)", limit: 1 << 24), "there is no \(name)")
  }

  /// The same as JSON.
  func json(_ name: String) throws -> JSONValue { try JSONNode.parse(bytes(name)).value }

  /// What came of a command of the job.
  func result(_ name: String) throws -> Result {
    let output = try bytes("\(name).out")
    let code = String(decoding: try bytes("\(name).code"), as: UTF8.self).filter { !$0.isNewline }
    return Result(
      text: String(decoding: output, as: UTF8.self),
      notes: String(decoding: try bytes("\(name).err"), as: UTF8.self),
      code: try #require(Int(code)),
      json: (try? JSONNode.parse(output).value) ?? .null
    )
  }

  /// Looks whether a picture shows the driver's bars where they belong: yellow, red, and blue.
  func checkBars(_ name: String) throws {
    let bars = "p{60,5}.r>p{60,5}.b+0.3 && p{220,5}.r>p{220,5}.b+0.3 && p{265,5}.b>p{265,5}.r+0.3"
    try runShell(
      "[ \"$(convert '\(directory)/\(name)' -format '%wx%h %m %[fx:\(bars)]' info:)\" = '320x180 JPEG 1' ]"
    )
  }
}
