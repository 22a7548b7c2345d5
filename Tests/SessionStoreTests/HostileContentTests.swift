// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct HostileContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Expects that of the content only `good` reached the app and that `path` is in quarantine for `reason`.
  private func expectQuarantined(
    _ path: String,
    _ reason: QuarantineReason,
    _ make: (String) throws -> Void
  ) throws {
    let result = try store.handOver { content in
      try write("good", to: "\(content)/good")
      try make(content)
    }
    #expect(result.record.quarantined == [.init(path: path, reason: reason)])
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == ["good": "good"])
    let items = "\(store.app.quarantine(result.record.sessionID))/items"
    #expect(try FileSystem.names(in: items) == ["0"])
    #expect(try store.leftovers() == [])
  }

  @Test func `a symbolic link is kept from the app`() throws {
    try expectQuarantined("bad", .symbolicLink) { succeed(symlink("/etc/shadow", "\($0)/bad"), "symlink") }
  }

  @Test func `a FIFO is kept from the app, and nobody waits for its writer`() throws {
    try expectQuarantined("bad", .fifo) { succeed(mkfifo("\($0)/bad", 0o600), "mkfifo") }
  }

  @Test func `a socket is kept from the app`() throws {
    try expectQuarantined("bad", .socket) {
      succeed(mknod("\($0)/bad", UInt32(S_IFSOCK) | 0o600, 0), "mknod")
    }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can make a device"))
  func `a device is kept from the app`() throws {
    // Number 0 is no device that a kernel has: opening it would fail the test.
    try expectQuarantined("bad", .device) { succeed(mknod("\($0)/bad", UInt32(S_IFCHR) | 0o600, 0), "mknod") }
  }

  @Test func `a file with a second name outside is kept from the app, and the other name keeps its data`()
    throws
  {
    let secret = "\(store.outside)/secret"
    try write("secret", to: secret, mode: 0o640)
    try expectQuarantined("bad", .hardLink) { succeed(link(secret, "\($0)/bad"), "link") }
    #expect(try FileSystem.contents(secret) == Array("secret".utf8))
    #expect(try FileSystem.status(secret)?.permissions == 0o640)
  }

  @Test func `a name that is not UTF-8 is kept from the app and can be read in the record`() throws {
    try expectQuarantined("a\\xffb", .nameNotUTF8) { content in
      let name: [CChar] =
        Array(content.utf8CString.dropLast()) + [0x2F, 0x61, CChar(bitPattern: 0xFF), 0x62, 0]
      let file = creat(name, 0o600)
      #expect(file >= 0)
      close(file)
    }
  }

  /// Names as bytes, because the test's own output must not do what they do, and how a record shows them.
  static let controlling: [(name: [UInt8], shown: String)] = [
    (Array("a\nb".utf8), "a\\x0ab"), (Array("\u{1B}[2J".utf8), "\\x1b[2J"), ([0x61, 0x7F], "a\\x7f"),
    (Array("\u{202E}gpj".utf8), "\\xe2\\x80\\xaegpj"),
  ]

  @Test(arguments: controlling) func `a name that a terminal would obey is kept from the app`(
    _ example: (name: [UInt8], shown: String)
  ) throws {
    try expectQuarantined(example.shown, .nameWithControlCharacters) { content in
      try write("", to: "\(content)/\(String(decoding: example.name, as: UTF8.self))")
    }
  }

  @Test func `a directory with a bad name goes as a whole`() throws {
    try expectQuarantined("a\\x01", .nameWithControlCharacters) { content in
      try FileSystem.makeDirectory("\(content)/a\u{1}")
      try write("inside", to: "\(content)/a\u{1}/file")
    }
  }

  @Test func `special bits are cleared, and the record says so`() throws {
    let result = try store.handOver { content in
      try write("x", to: "\(content)/tool")
      succeed(chmod("\(content)/tool", 0o6755), "chmod")
      try FileSystem.makeDirectory("\(content)/d")
      succeed(chmod("\(content)/d", 0o1777), "chmod")
    }
    let path = try #require(result.contentPath)
    #expect(try FileSystem.status("\(path)/tool")?.permissions == 0o600)
    #expect(try FileSystem.status("\(path)/d")?.permissions == 0o700)
    #expect(
      Set(result.record.normalised)
        == [.init(path: "tool", change: .specialBitsCleared), .init(path: "d", change: .specialBitsCleared)]
    )
    #expect(result.record.quarantined == [])
  }

  @Test func `what its owner was locked out of is opened again`() throws {
    let result = try store.handOver { content in
      try FileSystem.makeDirectory("\(content)/closed")
      try write("x", to: "\(content)/closed/file", mode: 0)
      succeed(chmod("\(content)/closed", 0), "chmod")
    }
    let path = try #require(result.contentPath)
    #expect(try TemporaryStore.tree(path) == ["closed/file": "x"])
    #expect(try FileSystem.status("\(path)/closed")?.permissions == 0o700)
    #expect(try FileSystem.status("\(path)/closed/file")?.permissions == 0o600)
    #expect(
      Set(result.record.normalised)
        == [
          .init(path: "closed", change: .madeAccessible), .init(path: "closed/file", change: .madeAccessible),
        ]
    )
  }

  @Test func `attributes are removed and the data stays`() throws {
    let result = try store.handOver { content in
      try write("data", to: "\(content)/file")
      let file = try FileSystem.open("\(content)/file", .readWrite)
      try file.setAttribute("user.note", to: [1, 2, 3])
      if CurrentProcess.effectiveUserID == 0 {
        try file.setAttribute("security.capability", to: Self.capability)
      }
    }
    let path = try #require(result.contentPath)
    let names = try FileSystem.open("\(path)/file", .read).attributeNames()
    #expect(!names.contains { $0.hasPrefix("user.") || $0 == "security.capability" })
    #expect(result.record.normalised == [.init(path: "file", change: .attributesRemoved)])
    #expect(try TemporaryStore.tree(path) == ["file": "data"])
  }

  /// `cap_sys_admin=ep` as the kernel stores it (`struct vfs_cap_data`, revision 2).
  private static let capability: [UInt8] = [1, 0, 0, 2, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  /// Gives a file a time of last change.
  private func setTime(_ seconds: Int, of path: String) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    succeed(utimensat(AT_FDCWD, path, &times, 0), "utimensat")
  }

  /// In a week, and in the year 2400, which no count of nanoseconds in 64 bits reaches.
  @Test(arguments: [Int(WallClock.milliseconds / 1000) + 604_800, 13_569_465_600])
  func `a time in the future becomes now`(_ later: Int) throws {
    let result = try store.handOver { content in
      try write("x", to: "\(content)/file")
      setTime(later, of: "\(content)/file")
    }
    #expect(result.record.normalised == [.init(path: "file", change: .timeSetToNow)])
    let modified = try #require(result.record.files.first?.modified)
    #expect(modified <= WallClock.milliseconds)
    #expect(modified > 0)
  }

  @Test func `a time before all times does no harm`() throws {
    let result = try store.handOver { content in
      try write("x", to: "\(content)/file")
      setTime(-1_000_000_000, of: "\(content)/file")
    }
    #expect(try DeliveredContent(store.app).list().first?.record == result.record)
  }

  @Test func `files of nothing but holes are listed by their length`() throws {
    let result = try store.handOver { content in
      for index in 0..<3 {
        try write("", to: "\(content)/\(index)")
        succeed(truncate("\(content)/\(index)", 1 << 43), "truncate")
      }
    }
    #expect(result.record.content.bytes == 3 << 43)
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can give files away"))
  func `files of the extension's user become the app's`() throws {
    let result = try store.handOver { content in
      try FileSystem.makeDirectory("\(content)/d")
      try write("x", to: "\(content)/d/file")
      for path in ["\(content)/d/file", "\(content)/d", content] {
        succeed(chown(path, 65534, 65533), "chown")
      }
    }
    let path = try #require(result.contentPath)
    for each in [path, "\(path)/d", "\(path)/d/file"] {
      #expect(try FileSystem.status(each)?.owner == 0)
      #expect(try FileSystem.status(each)?.group == 0)
    }
  }

  @Test func `many rejected entries in many directories are each named once`() throws {
    let result = try store.handOver { content in
      try write("good", to: "\(content)/good")
      for directory in 0..<5 {
        try FileSystem.makeDirectory("\(content)/\(directory)")
        for entry in 0..<4 { succeed(symlink("x", "\(content)/\(directory)/\(entry)"), "symlink") }
      }
    }
    let expected = (0..<5).flatMap { directory in (0..<4).map { "\(directory)/\($0)" } }
    #expect(result.record.quarantined.map(\.path).sorted() == expected)
  }
}
