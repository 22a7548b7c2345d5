// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import Testing

/// A temporary directory for one test that contains a valid bundle.
final class SampleBundle {
  /// The temporary directory.
  let root: String
  /// The directory of the bundle.
  var path: String { "\(root)/Camera" }
  /// The directory of the extension.
  var extensionPath: String { "\(path)/Extensions/Capture" }
  /// A catalog in the temporary directory.
  var catalog: AppCatalog {
    AppCatalog(appsDirectory: "\(root)/state/apps", groupsDirectory: "\(root)/state/groups")
  }

  static let appText = """
    {
      "id": "org.example.camera",
      "name": "Camera",
      "open": ["camera", ""],
      "usageDescriptions": { "camera": "To take pictures." },
      "groups": ["group.org.example"],
      "controls": [
        { "id": "shutter", "title": "Take a picture", "extension": "org.example.camera.capture" }
      ]
    }
    """
  static let extensionText = """
    {
      "id": "org.example.camera.capture",
      "name": "Capture",
      "executable": "bin/capture",
      "arguments": ["--fast", ""],
      "protocol": "1",
      "policy": "capture",
      "launchDeadline": 5,
      "architectures": ["x86_64", "aarch64"],
      "environment": { "CAPTURE_MODE": "quick" },
      "usageDescriptions": { "camera": "To take pictures." },
      "frames": "ring"
    }
    """

  init() throws {
    root = "/tmp/darkroom-bundles-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(path)/Extensions/Capture/bin")
    try write("app.json", Self.appText)
    try write("Extensions/Capture/extension.json", Self.extensionText)
    try write("Extensions/Capture/bin/capture", "#!/bin/sh\nexit 0\n", mode: 0o755)
  }

  deinit { try? FileSystem.removeTree(root) }

  /// Writes a text file into the bundle.
  func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws {
    try write(name, Array(text.utf8), mode: mode)
  }

  /// Writes a file into the bundle.
  func write(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o644) throws {
    try FileSystem.replaceContents("\(path)/\(name)", with: bytes, mode: mode)
  }

  /// Replaces the first occurrence of a text in a file; the file must contain the text.
  func change(_ file: String, _ old: String, to new: String) throws {
    let bytes = try #require(try FileSystem.contents("\(path)/\(file)"))
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "\(file) does not contain \(old)")
    try write(file, "\(parts[0])\(new)\(parts[1])")
  }

  /// Returns the diagnostics of the validator as text.
  func faults(_ validator: ManifestValidator = ManifestValidator(machine: "x86_64")) -> [String] {
    validator.validate(path).diagnostics.map(\.description)
  }
}
