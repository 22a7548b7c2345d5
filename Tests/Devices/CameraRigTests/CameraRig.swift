// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// The results of a job in a virtual machine with virtual cameras and input devices (`Tests/Rigs/cameras.sh`).
struct CameraRig {
  /// A job of the virtual machine. The raw value is its directory below the shared directory.
  enum Job: String {
    /// Kernel cameras.
    case camera
    /// Kernel cameras and a libcamera camera through PipeWire.
    case pipewire
    /// Simulated input devices.
    case keys
  }

  /// The result of a command of the job.
  struct Result {
    var standardOutput: String
    var standardError: String
    /// The exit code.
    var code: Int
    /// The standard output as JSON, or null if it is not JSON.
    var json: JSONValue
  }

  /// The directory with the results.
  let directory: String

  /// Loads the results of a job. The first call boots the virtual machine and waits for all jobs.
  init(_ job: Job) throws { directory = "\(try Self.machine.get())/\(job.rawValue)" }

  /// The directory that the virtual machine shares. One machine runs all jobs, because booting takes an
  /// emulator as long as a job.
  private static let machine: Swift.Result<String, any Error> = .init { try runMachine() }
  private static var rigs: String { "\(PackageDirectory.path)/Tests/Rigs" }

  /// The reason that the machine has no libcamera camera, or `nil` if it has one.
  static let libcameraUnavailableReason: String? = {
    let module = (try? FileSystem.status("\(RigDirectory.path)/vimc.ko")) ?? nil
    if module == nil { return "there is no module vimc; Tests/Rigs/machine_vimc.py makes it" }
    let libraries = (try? FileSystem.names(in: "/usr/lib")) ?? []
    let places = libraries.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)/spa-0.2/libcamera" }
    let plugin = places.first { ((try? FileSystem.status("\($0)/libspa-libcamera.so")) ?? nil) != nil }
    return plugin == nil ? "pipewire-libcamera is not installed" : nil
  }()

  /// Boots the machine, waits for its jobs, and returns the shared directory, which is removed at exit.
  private static func runMachine() throws -> String {
    let directory = "/tmp/darkroom-camera-rig-\(Randomness.hexadecimal(bytes: 8))"
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    try FileSystem.makeDirectories("\(directory)/bundle", mode: 0o755)
    atexit { if case .success(let directory) = CameraRig.machine { try? FileSystem.removeTree(directory) } }
    try write(
      [
        "id": "org.example.rig", "name": "Rig", "open": ["/bin/true"],
        "usageDescriptions": ["camera": "It looks at the rig."],
      ],
      "\(directory)/bundle/app.json"
    )
    // Without debug information, the emulator saves seconds of copying and hashing.
    for (program, name) in [("Snapshot", "snapshot"), ("RawPairs", "raw")] {
      try runShell("strip -o '\(try addExtension(name, to: directory))' '\(programs)/\(program)'")
    }
    for (program, name) in [("camera_extension.py", "capture"), ("camera_settings.py", "settings")] {
      try runShell("install -m 755 '\(rigs)/\(program)' '\(try addExtension(name, to: directory))'")
    }
    try runShell(
      """
      '\(rigs)/machine.py' --boot '\(RigDirectory.path)' --timeout 600 '\(directory)' '\(rigs)/cameras.sh' \
      PROGRAMS='\(programs)' RIGS='\(rigs)' BOOT='\(RigDirectory.path)' WITH='\(libcameraUnavailableReason == nil ? "vimc" : "")' \
      || { code=$?; cat '\(directory)/console'; rm -rf '\(directory)'; exit $code; }
      """
    )
    return directory
  }

  /// Adds an extension without an executable to the bundle, and returns the path for the executable.
  private static func addExtension(_ name: String, to directory: String) throws -> String {
    let place = "\(directory)/bundle/Extensions/\(name)"
    try FileSystem.makeDirectories("\(place)/bin", mode: 0o755)
    try write(
      [
        "id": .string("org.example.rig.\(name)"), "name": "Rig", "executable": "bin/program", "protocol": "1",
        "policy": "capture", "launchDeadline": 30, "usageDescriptions": ["camera": "It looks at the rig."],
      ],
      "\(place)/extension.json"
    )
    return "\(place)/bin/program"
  }

  private static func write(_ manifest: JSONValue, _ path: String) throws {
    try FileSystem.replaceContents(path, with: manifest.bytes(.indented), mode: 0o644)
  }

  /// Returns the contents of a result file.
  func bytes(_ name: String) throws -> [UInt8] {
    try #require(try FileSystem.contents("\(directory)/\(name)", limit: 1 << 24), "there is no \(name)")
  }

  /// Returns the contents of a result file as JSON.
  func json(_ name: String) throws -> JSONValue { try JSONNode.parse(bytes(name)).value }

  /// Returns the result of a command.
  func result(_ name: String) throws -> Result {
    let output = try bytes("\(name).out")
    let code = String(decoding: try bytes("\(name).code"), as: UTF8.self).filter { !$0.isNewline }
    return Result(
      standardOutput: String(decoding: output, as: UTF8.self),
      standardError: String(decoding: try bytes("\(name).err"), as: UTF8.self),
      code: try #require(Int(code)),
      json: (try? JSONNode.parse(output).value) ?? .null
    )
  }

  /// Checks that an image shows the test bars of the driver at their positions: yellow, red and blue.
  func checkBars(_ name: String) throws {
    let bars = "p{60,5}.r>p{60,5}.b+0.3 && p{220,5}.r>p{220,5}.b+0.3 && p{265,5}.b>p{265,5}.r+0.3"
    try runShell(
      "[ \"$(convert '\(directory)/\(name)' -format '%wx%h %m %[fx:\(bars)]' info:)\" = '320x180 JPEG 1' ]"
    )
  }
}
