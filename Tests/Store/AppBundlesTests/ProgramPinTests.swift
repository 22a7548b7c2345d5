// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

/// Pinning of programs that are reached through symbolic links. The record contains the links, and also the
/// digest of a program inside the bundle.
@Suite(.waiting) struct ProgramPinTests {
  private static let id = "org.example.camera.capture"

  /// Installs an extension whose program `bin/link` is reached through the given links in its directory.
  private func installed(_ links: KeyValuePairs<String, String>) throws -> (SampleBundle, InstalledExtension)
  {
    let sample = try SampleBundle()
    for (path, target) in links {
      try FileSystem.makeSymbolicLink("\(sample.extensionPath)/\(path)", to: target)
    }
    try sample.change("Extensions/Capture/extension.json", "bin/capture", to: "bin/link")
    _ = try sample.catalog.install(sample.path)
    return (sample, try sample.catalog.find(Self.id))
  }

  /// Runs commands in the directory of the installed program.
  private func tamper(_ found: InstalledExtension, _ commands: String) throws {
    try runShell("cd '\(found.path)/bin' && chmod u+w . * && \(commands)")
  }

  private func error(_ found: InstalledExtension) throws -> CatalogError? {
    var errors: [CatalogError?] = []
    for verification in [DigestVerification.reading, .unlessUnchanged] {
      do throws(CatalogError) {
        try found.verifyDigest(verification)
        errors.append(nil)
      } catch { errors.append(error) }
    }
    #expect(errors[0] == errors[1])
    return errors[0]
  }

  @Test func `pins a program in the bundle by its links and its digest`() throws {
    let (sample, found) = try installed([
      "bin/link": "../here/second", "bin/second": "capture", "here": "bin",
    ])
    #expect(
      found.pinned.links == [
        ProgramLink(path: "bin/link", target: "../here/second"), ProgramLink(path: "here", target: "bin"),
        ProgramLink(path: "bin/second", target: "capture"),
      ]
    )
    #expect(found.pinned.executable != nil)
    #expect(try error(found) == nil)
    try tamper(found, "cp capture other && ln -sfn other second")
    #expect(try error(found) == .linksChanged(id: Self.id, path: found.executablePath))
    try tamper(found, "ln -sfn capture second")
    #expect(try error(found) == nil)
    try tamper(found, "echo exit >>capture")
    guard case .changed(Self.id, "\(found.path)/bin/capture", _, _) = try error(found) else {
      Issue.record("the program may be changed")
      return
    }
    _ = sample
  }

  @Test(arguments: [
    "ln -sfn /usr/bin/printenv link", "ln -sfn capture link", "rm link && cp capture link", "rm link",
    "ln -sfn /usr/bin/../bin/env link",
  ])
  func `pins a program outside the bundle by its link only`(change: String) throws {
    let (sample, found) = try installed(["bin/link": "/usr/bin/env"])
    #expect(found.pinned.links == [ProgramLink(path: "bin/link", target: "/usr/bin/env")])
    #expect(found.pinned.executable == nil)
    #expect(try error(found) == nil)
    try tamper(found, change)
    #expect(try error(found) != nil)
    _ = sample
  }

  @Test(arguments: ["ln -sfn /usr/bin/env capture", "mv capture other && ln -s other capture"])
  func `refuses a link that has replaced the program`(change: String) throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let found = try sample.catalog.find(Self.id)
    #expect(found.pinned.links == [])
    try tamper(found, change)
    #expect(try error(found) != nil)
  }

  @Test func `rejects a record without executable digest and without links`() throws {
    let (sample, found) = try installed(["bin/link": "/usr/bin/env"])
    let record = "\(found.appDirectory)/installation.json"
    // sed(1) removes the lines of the list, because Foundation is not used.
    try runShell("grep -q '\"links\"' '\(record)' && sed -i '/\"links\"/,/\\]/d' '\(record)'")
    let error = #expect(throws: CatalogError.self) { try sample.catalog.find(Self.id) }
    guard case .damaged(_, _, .key("extensions.executable")) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
