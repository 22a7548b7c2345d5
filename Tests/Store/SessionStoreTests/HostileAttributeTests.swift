// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

/// Migration removes all metadata that an extension can attach to its files, and delivers only their data.
@Suite struct HostileAttributeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// `cap_sys_admin=ep` as the kernel stores it (`struct vfs_cap_data`, revision 2).
  private static let capability: [UInt8] = [1, 0, 0, 2, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  /// An access control list that grants user 65534 everything, in kernel format (`struct
  /// posix_acl_xattr_header`).
  private static let accessControlList: [UInt8] =
    [2, 0, 0, 0]
    + [
      (1, 7, 0xFFFF_FFFF), (2, 7, 65534), (4, 0, 0xFFFF_FFFF), (0x10, 7, 0xFFFF_FFFF), (0x20, 0, 0xFFFF_FFFF),
    ]
    .flatMap { (tag: UInt8, bits: UInt8, id: UInt32) -> [UInt8] in
      [tag, 0, bits, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> ($0 * 8)) }
    }

  /// Returns the extended attributes of a file except those that the system sets.
  private func attributes(_ path: String) throws -> [String] {
    try FileSystem.open(path, [.nonBlocking]).attributeNames().filter { $0 != "security.selinux" }
  }

  @Test func `removes extended attributes and keeps the data`() throws {
    let isRoot = CurrentProcess.effectiveUserID == 0
    let names = ["user.note"] + (isRoot ? ["trusted.note", "security.capability", "security.other"] : [])
    let result = try store.migrate { content in
      try write("data", to: "\(content)/file")
      try FileSystem.makeDirectory("\(content)/d")
      for name in names {
        let value = name == "security.capability" ? Self.capability : [1, 2, 3]
        try FileSystem.open("\(content)/file", .readWrite).setAttribute(name, to: value)
        guard name != "security.capability" else { continue }
        try FileSystem.open("\(content)/d", [.directory]).setAttribute(name, to: value)
      }
      #expect(Set(try attributes("\(content)/file")) == Set(names))
    }
    let path = try #require(result.contentPath)
    #expect(try attributes("\(path)/file") == [])
    #expect(try attributes("\(path)/d") == [])
    #expect(
      Set(result.record.sanitized)
        == [.init(path: "file", change: .attributesRemoved), .init(path: "d", change: .attributesRemoved)]
    )
    #expect(try TemporaryStore.tree(path) == ["file": "data"])
  }

  @Test func `removes access control lists including default ones`() throws {
    let result = try store.migrate { content in
      try FileSystem.makeDirectory("\(content)/d")
      let directory = try FileSystem.open("\(content)/d", [.directory])
      try directory.setAttribute("system.posix_acl_default", to: Self.accessControlList)
      try directory.setAttribute("system.posix_acl_access", to: Self.accessControlList)
      // The file inherits an access control list from the default list of its directory.
      try write("x", to: "\(content)/d/file")
      #expect(try attributes("\(content)/d/file") == ["system.posix_acl_access"])
    }
    let path = try #require(result.contentPath)
    #expect(try attributes("\(path)/d") == [])
    #expect(try attributes("\(path)/d/file") == [])
    #expect(try FileSystem.status("\(path)/d")?.permissions == 0o700)
    #expect(try FileSystem.status("\(path)/d/file")?.permissions == 0o600)
  }

  /// Inode flags to test. Only root can set immutable and append-only.
  private static let flags: [FileFlags] =
    [.noDump, .noAccessTime]
    + (CurrentProcess.effectiveUserID == 0
      ? [.immutable, .appendOnly, [.immutable, .appendOnly, .noDump]] : [])

  @Test(arguments: flags) func `clears inode flags including immutable and append-only`(_ flags: FileFlags)
    throws
  {
    // Immutable files must be cleaned up even if the test fails.
    defer { try? runShell("chattr -R -f -ia '\(store.root.path)' || true") }
    let result = try store.migrate { content in
      try FileSystem.makeDirectories("\(content)/d/e")
      try write("data", to: "\(content)/d/file", mode: 0)
      try write("odd", to: "\(content)/d/a\n")
      succeed(symlink("x", "\(content)/d/link"), "symlink")
      for path in ["d/file", "d/e", "d", ""] {
        succeed(chmod("\(content)/\(path)", 0), "chmod")
        let file = try FileSystem.open("\(content)/\(path)", [.noFollow])
        try file.setFlags(try file.flags().union(flags))
      }
    }
    let path = try #require(result.contentPath)
    #expect(try TemporaryStore.tree(path) == ["d/file": "data", "d/a%0A": "odd"])
    for inner in ["", "d", "d/e", "d/file"] {
      #expect(try FileSystem.open("\(path)/\(inner)", [.noFollow]).flags().isDisjoint(with: .foreign))
    }
    let noted = Set(result.record.sanitized.filter { $0.change == .flagsCleared }.map(\.path))
    #expect(noted.isSuperset(of: ["d/file"]))
    #expect(result.record.quarantined.map(\.path) == ["d/link"])
    #expect(try store.leftovers() == [])
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can set such flags"))
  func `reports an immutable file and migrates once its flag is cleared`() throws {
    let secret = "\(store.outside)/secret"
    try write("secret", to: secret)
    defer { try? runShell("chattr -f -i '\(secret)' || true") }
    let workspace = try store.workspace()
    let places = workspace.places
    try write("good", to: "\(places.contentDirectory)/good")
    succeed(link(secret, "\(places.contentDirectory)/bad"), "link")
    try FileSystem.open(secret, .read).setFlags([.immutable])
    let draft = store.draft(workspace)
    do {
      _ = try Migration(workspace, draft: draft).run()
      Issue.record("what cannot be moved was moved")
    } catch {
      #expect(error == .immovable(path: "\(places.contentDirectory)/bad"))
    }
    #expect(try DeliveredContent(store.app).list().isEmpty)
    try FileSystem.open(secret, .read).setFlags([])
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(
      try DeliveredContent(store.app).list().map { try TemporaryStore.tree($0.path) } == [["good": "good"]]
    )
    #expect(try FileSystem.contents(secret) == Array("secret".utf8))
  }
}
