// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

/// The cache of verified programs: an unchanged program is not read again, and a changed one is always
/// detected.
@Suite struct VerifiedFilesTests {
  /// The magic numbers of file systems whose timestamps reveal every change of a file: ext4, XFS and btrfs.
  private static let changeDetectingFileSystems: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E]

  private func installed(_ sample: SampleBundle) throws -> InstalledExtension {
    _ = try sample.catalog.install(sample.path)
    return try sample.catalog.find("org.example.camera.capture")
  }

  /// Returns the names of the marks of verified programs.
  private func verificationMarks(_ installed: InstalledExtension) throws -> [String] {
    try FileSystem.names(in: "\(installed.appDirectory)/verified")
  }

  private func expectRefused(_ installed: InstalledExtension, _ comment: Comment) {
    let error = #expect(throws: CatalogError.self, comment) { try installed.verifyDigest(.unlessUnchanged) }
    #expect(error.map { "\($0)".contains("was changed after its installation") } == true, comment)
  }

  @Test func `reads a program again whenever it may have changed`() async throws {
    let (sample, other) = (try SampleBundle(), try SampleBundle())
    let (found, open) = (try installed(sample), try installed(other))
    let program = "'\(found.executablePath)'"
    try runShell("chmod u+w \(program) '\(open.executablePath)'; touch -d '2 days ago' \(program)")
    let writer = try FileSystem.open(open.executablePath, .readWrite)
    try found.verifyDigest(.unlessUnchanged)
    #expect(
      try verificationMarks(found) == [],
      "a change within the same tick of the clock could not be seen"
    )

    try await Task.sleep(for: .milliseconds(2_200))
    try open.verifyDigest(.unlessUnchanged)
    #expect(try verificationMarks(open) == [], "a process can still write to the file")
    _ = consume writer
    try found.verifyDigest(.unlessUnchanged)
    guard Self.changeDetectingFileSystems.contains(try FileSystem.type(of: found.path)) else {
      #expect(try verificationMarks(found) == [])
      return
    }
    let mark = try #require(try verificationMarks(found).first)
    #expect(try FileSystem.status("\(found.appDirectory)/verified/\(mark)")?.permissions == 0o600)
    try found.verifyDigest(.unlessUnchanged)
    #expect(try verificationMarks(found) == [mark])

    // The file keeps its length and its modification time.
    try runShell("cp -p \(program) \(program).kept; printf x | dd of=\(program) conv=notrunc status=none")
    try runShell("touch -r \(program).kept \(program)")
    expectRefused(found, "overwritten")
    expectRefused(found, "overwritten, and looked at before")
    try runShell("mv \(program) \(program).other; cp \(program).kept \(program)")
    try found.verifyDigest(.unlessUnchanged)
    try runShell("mv \(program).other \(program)")
    expectRefused(found, "exchanged")
    #expect(try verificationMarks(found) == [mark])
  }

  @Test func `a verification mark is valid only for its boot, file and digest`() async throws {
    let sample = try SampleBundle()
    let found = try installed(sample)
    try runShell("chmod u+w '\(found.executablePath)' && echo >> '\(found.executablePath)'")
    let status = try #require(try FileSystem.status(found.executablePath))
    let boot = String(
      decoding: try FileSystem.contents("/proc/sys/kernel/random/boot_id", limit: 64) ?? [],
      as: UTF8.self
    )
    let file = "\(status.device).\(status.inode).\(status.size).\(status.modified).\(status.changed)"
    let directory = "\(found.appDirectory)/verified"
    try FileSystem.makeDirectory(directory)
    let digest = "\(try #require(found.pinned.executable))".dropFirst("sha256:".count)
    for name in [
      "00000000-0000-0000-0000-000000000000.\(file).\(digest)",
      "\(boot.dropLast()).\(file).\(String(repeating: "0", count: 64))",
      "\(boot.dropLast()).\(file.dropLast()).\(digest)",
    ] {
      _ = try FileSystem.open("\(directory)/\(name)", [.write, .create])
      expectRefused(found, "\(name)")
    }
    // A process that can write here can also modify the installed program, so a forged mark gains nothing.
    // This one proves that marks are read.
    _ = try FileSystem.open("\(directory)/\(boot.dropLast()).\(file).\(digest)", [.write, .create])
    try found.verifyDigest(.unlessUnchanged)
    #expect(throws: CatalogError.self) { try found.verifyDigest() }
  }
}
