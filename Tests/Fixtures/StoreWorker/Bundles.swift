// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import LinuxPrimitives
internal import SessionStore

/// Operations that install and uninstall bundles.
struct BundleOperations {
  private let world: WorkerEnvironment

  init(_ world: WorkerEnvironment) { self.world = world }

  /// Returns the program text of a version.
  static func program(_ version: String) -> String { "#!/bin/sh\nexit \(version)\n" }

  private static let appText = """
    {
      "id": "\(WorkerEnvironment.appID)",
      "name": "Camera",
      "open": ["camera"],
      "usageDescriptions": { "camera": "To take pictures." },
      "groups": ["group.org.example"]
    }
    """
  private static let extensionText = """
    {
      "id": "\(WorkerEnvironment.extensionID)",
      "name": "Capture",
      "executable": "bin/capture",
      "protocol": "1",
      "policy": "capture",
      "usageDescriptions": { "camera": "To take pictures." }
    }
    """

  /// Writes a bundle: `DIR VERSION`, where VERSION is a number.
  func write(_ words: [String]) throws {
    guard words.count == 2 else { throw WorkerError("bundle DIR VERSION") }
    let inner = "\(words[0])/Extensions/Capture"
    try FileSystem.makeDirectories("\(inner)/bin", mode: 0o755)
    for (path, text, mode) in [
      ("\(words[0])/app.json", Self.appText, UInt32(0o644)),
      ("\(inner)/extension.json", Self.extensionText, 0o644),
      ("\(inner)/bin/capture", Self.program(words[1]), 0o755),
    ] {
      try FileSystem.replaceContents(path, with: Array(text.utf8), mode: mode)
    }
  }

  /// Installs a bundle: `DIR VERSION`.
  func install(_ words: [String]) throws {
    guard words.count == 2 else { throw WorkerError("install DIR VERSION") }
    try world.root.prepare()
    try world.acknowledgments.note("installing \(words[1])")
    _ = try world.catalog.install(words[0])
    try world.acknowledgments.note("installed \(words[1])")
  }

  /// Uninstalls the app and discards its pending content.
  func uninstall() throws {
    try world.root.prepare()
    try world.acknowledgments.note("uninstalling")
    try world.catalog.uninstall(WorkerEnvironment.appID, content: .discard)
    try world.acknowledgments.note("uninstalled")
  }
}
