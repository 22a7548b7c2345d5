// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct HostileContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Expects that only `good` reached the app and that `path` is in quarantine for `reason`.
  private func expectQuarantined(
    _ path: String,
    _ reason: QuarantineReason,
    _ make: (String) throws -> Void
  ) throws {
    let result = try store.migrate { content in
      try write("good", to: "\(content)/good")
      try make(content)
    }
    #expect(result.record.quarantined == [.init(path: path, reason: reason)])
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == ["good": "good"])
    let items = "\(store.app.quarantine(result.record.sessionID))/items"
    #expect(try FileSystem.names(in: items) == ["0"])
    #expect(try store.leftovers() == [])
  }

  @Test func `quarantines a symbolic link`() throws {
    try expectQuarantined("bad", .symbolicLink) { succeed(symlink("/etc/shadow", "\($0)/bad"), "symlink") }
  }

  @Test func `quarantines a FIFO without waiting for a writer`() throws {
    try expectQuarantined("bad", .fifo) { succeed(mkfifo("\($0)/bad", 0o600), "mkfifo") }
  }

  @Test func `quarantines a socket`() throws {
    try expectQuarantined("bad", .socket) {
      succeed(mknod("\($0)/bad", UInt32(S_IFSOCK) | 0o600, 0), "mknod")
    }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can make a device"))
  func `quarantines a device`() throws {
    // No driver has device number 0, so opening the device would fail the test.
    try expectQuarantined("bad", .device) { succeed(mknod("\($0)/bad", UInt32(S_IFCHR) | 0o600, 0), "mknod") }
  }

  @Test func `quarantines a file with a hard link outside and leaves the other name unchanged`()
    throws
  {
    let secret = "\(store.outside)/secret"
    try write("secret", to: secret, mode: 0o640)
    try expectQuarantined("bad", .hardLink) { succeed(link(secret, "\($0)/bad"), "link") }
    #expect(try FileSystem.contents(secret) == Array("secret".utf8))
    #expect(try FileSystem.status(secret)?.permissions == 0o640)
  }

  @Test func `clears special mode bits and records the change`() throws {
    let result = try store.migrate { content in
      try write("x", to: "\(content)/tool")
      succeed(chmod("\(content)/tool", 0o6755), "chmod")
      try FileSystem.makeDirectory("\(content)/d")
      succeed(chmod("\(content)/d", 0o1777), "chmod")
    }
    let path = try #require(result.contentPath)
    #expect(try FileSystem.status("\(path)/tool")?.permissions == 0o600)
    #expect(try FileSystem.status("\(path)/d")?.permissions == 0o700)
    #expect(
      Set(result.record.sanitized)
        == [.init(path: "tool", change: .specialBitsCleared), .init(path: "d", change: .specialBitsCleared)]
    )
    #expect(result.record.quarantined == [])
  }

  @Test func `makes content accessible that its owner cannot read`() throws {
    let result = try store.migrate { content in
      try FileSystem.makeDirectory("\(content)/closed")
      try write("x", to: "\(content)/closed/file", mode: 0)
      succeed(chmod("\(content)/closed", 0), "chmod")
    }
    let path = try #require(result.contentPath)
    #expect(try TemporaryStore.tree(path) == ["closed/file": "x"])
    #expect(try FileSystem.status("\(path)/closed")?.permissions == 0o700)
    #expect(try FileSystem.status("\(path)/closed/file")?.permissions == 0o600)
    #expect(
      Set(result.record.sanitized)
        == [
          .init(path: "closed", change: .madeAccessible), .init(path: "closed/file", change: .madeAccessible),
        ]
    )
  }

  /// Sets the access and modification times of a file.
  private func setTime(_ seconds: Int, of path: String) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    succeed(utimensat(AT_FDCWD, path, &times, 0), "utimensat")
  }

  /// A week ahead, and the year 2400, which is out of range for nanoseconds in 64 bits.
  @Test(arguments: [Int(WallClock.milliseconds / 1000) + 604_800, 13_569_465_600])
  func `sets a modification time in the future to now`(_ later: Int) throws {
    let result = try store.migrate { content in
      try write("x", to: "\(content)/file")
      setTime(later, of: "\(content)/file")
    }
    #expect(result.record.sanitized == [.init(path: "file", change: .timeSetToNow)])
    let modified = try #require(result.record.files.first?.modified)
    #expect(modified <= WallClock.milliseconds)
    #expect(modified > 0)
  }

  /// One second before 1970, the year 1938, and the year 1600, which is out of range for nanoseconds in 64
  /// bits.
  @Test(arguments: [-1, -1_000_000_000, -11_676_096_000])
  func `sets a modification time before 1970 to now`(_ earlier: Int) throws {
    let startTime = WallClock.milliseconds
    let result = try store.migrate { content in
      try write("x", to: "\(content)/file")
      setTime(earlier, of: "\(content)/file")
    }
    #expect(result.record.sanitized == [.init(path: "file", change: .timeSetToNow)])
    let status = try #require(try FileSystem.status("\(result.contentPath ?? "")/file"))
    for time in [status.modified, status.accessed] { #expect(time / 1_000_000 >= startTime) }
    #expect(try DeliveredContent(store.app).list().first?.record == result.record)
  }

  @Test func `keeps the modification time 1970-01-01`() throws {
    let result = try store.migrate { content in
      try write("x", to: "\(content)/file")
      setTime(0, of: "\(content)/file")
    }
    #expect(result.record.sanitized == [])
    #expect(result.record.files.first?.modified == 0)
  }

  @Test func `sets an access time in the future to now and keeps the modification time`() throws {
    let result = try store.migrate { content in
      try write("x", to: "\(content)/file")
      let file = try FileSystem.open("\(content)/file", .readWrite)
      try file.setTimes(accessed: Int64(WallClock.milliseconds + 30_000) * 1_000_000, modified: 5_000_000_000)
    }
    #expect(result.record.sanitized == [.init(path: "file", change: .timeSetToNow)])
    #expect(result.record.files.first?.modified == 5000)
    let status = try #require(try FileSystem.status("\(result.contentPath ?? "")/file"))
    #expect(status.accessed <= WallClock.milliseconds * 1_000_000)
    #expect(status.modified == 5_000_000_000)
  }

  @Test func `records the length of files that consist of holes`() throws {
    let result = try store.migrate { content in
      for index in 0..<3 {
        try write("", to: "\(content)/\(index)")
        succeed(truncate("\(content)/\(index)", 1 << 43), "truncate")
      }
    }
    #expect(result.record.content.bytes == 3 << 43)
  }

  /// Creates a file with data that is followed by a hole.
  private func makeSparse(_ path: String, _ data: String, length: Int64) throws {
    try write(data, to: path)
    succeed(truncate(path, Int(length)), "truncate")
  }

  @Test func `quarantines sparse files beyond the limit, largest holes first`()
    throws
  {
    let gibibyte: Int64 = 1 << 30
    let rule = ContentRule(maximumBytes: 4 * gibibyte)
    let result = try store.migrate(digests: .sha256, rule) { content in
      try FileSystem.makeDirectory("\(content)/d")
      try makeSparse("\(content)/d/giant", "a", length: 1 << 43)
      try makeSparse("\(content)/large", "b", length: 3 * gibibyte)
      try makeSparse("\(content)/small", "c", length: 1 * gibibyte - 4)
      try write("data", to: "\(content)/dense")
    }
    #expect(result.record.files.map(\.path) == ["dense", "large", "small"])
    #expect(result.record.content.bytes == 4 * gibibyte)
    #expect(result.record.quarantined == [.init(path: "d/giant", reason: .sparse)])
    let item = "\(store.app.quarantine(result.record.sessionID))/items/0"
    #expect(try FileSystem.status(item)?.size == 1 << 43)
    #expect(try FileSystem.open(item, [.noFollow]).readAll(limit: 1 << 10) == nil)
    #expect(try store.leftovers() == [])
  }

  @Test func `keeps as many sparse files as fit if the sum of lengths overflows`() throws {
    let result = try store.migrate(ContentRule(maximumBytes: 1 << 43)) { content in
      for index in 0..<3 { try makeSparse("\(content)/\(index)", "", length: 1 << 43) }
    }
    #expect(result.record.files.map(\.path) == ["2"])
    #expect(result.record.quarantined.map(\.path).sorted() == ["0", "1"])
  }

  @Test func `keeps files without holes beyond the limit`() throws {
    let result = try store.migrate(ContentRule(maximumBytes: 10)) { content in
      try write(String(repeating: "x", count: 3 << 20), to: "\(content)/dense")
    }
    #expect(result.record.quarantined == [])
    #expect(result.record.content.bytes == 3 << 20)
  }

  @Test func `keeps sparse files in content that is delivered as written`() throws {
    let result = try store.migrate(ContentRule(.asWritten, maximumBytes: 10)) { content in
      try makeSparse("\(content)/giant", "", length: 1 << 43)
    }
    #expect(result.record.quarantined == [])
    #expect(result.record.content.bytes == 1 << 43)
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can give files away"))
  func `changes the owner of migrated files to the app user`() throws {
    let result = try store.migrate { content in
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

  @Test func `records each rejected entry once across many directories`() throws {
    let result = try store.migrate { content in
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
