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
    // No driver has device number 0, so opening the device would fail the test.
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

  /// Sets the access and modification times of a file.
  private func setTime(_ seconds: Int, of path: String) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    succeed(utimensat(AT_FDCWD, path, &times, 0), "utimensat")
  }

  /// A week ahead, and the year 2400, which is out of range for nanoseconds in 64 bits.
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

  /// One second before 1970, the year 1938, and the year 1600, which is out of range for nanoseconds in 64
  /// bits.
  @Test(arguments: [-1, -1_000_000_000, -11_676_096_000])
  func `a time before 1970 becomes now`(_ earlier: Int) throws {
    let began = WallClock.milliseconds
    let result = try store.handOver { content in
      try write("x", to: "\(content)/file")
      setTime(earlier, of: "\(content)/file")
    }
    #expect(result.record.normalised == [.init(path: "file", change: .timeSetToNow)])
    let status = try #require(try FileSystem.status("\(result.contentPath ?? "")/file"))
    for time in [status.modified, status.accessed] { #expect(time / 1_000_000 >= began) }
    #expect(try DeliveredContent(store.app).list().first?.record == result.record)
  }

  @Test func `the time of 1970 itself stays`() throws {
    let result = try store.handOver { content in
      try write("x", to: "\(content)/file")
      setTime(0, of: "\(content)/file")
    }
    #expect(result.record.normalised == [])
    #expect(result.record.files.first?.modified == 0)
  }

  @Test func `a time of access in the future becomes now, and that of the change stays`() throws {
    let result = try store.handOver { content in
      try write("x", to: "\(content)/file")
      let file = try FileSystem.open("\(content)/file", .readWrite)
      try file.setTimes(accessed: Int64(WallClock.milliseconds + 30_000) * 1_000_000, modified: 5_000_000_000)
    }
    #expect(result.record.normalised == [.init(path: "file", change: .timeSetToNow)])
    #expect(result.record.files.first?.modified == 5000)
    let status = try #require(try FileSystem.status("\(result.contentPath ?? "")/file"))
    #expect(status.accessed <= WallClock.milliseconds * 1_000_000)
    #expect(status.modified == 5_000_000_000)
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

  /// Creates a file with data that is followed by a hole.
  private func makeSparse(_ path: String, _ data: String, length: Int64) throws {
    try write(data, to: path)
    succeed(truncate(path, Int(length)), "truncate")
  }

  @Test func `sparse files beyond the limit are quarantined, the largest holes first, and nothing else`()
    throws
  {
    let gibibyte: Int64 = 1 << 30
    let rule = ContentRule(mostBytes: 4 * gibibyte)
    let result = try store.handOver(digests: .sha256, rule) { content in
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

  @Test func `of sparse files whose lengths no number of 64 bits holds as many stay as fit`() throws {
    let result = try store.handOver(ContentRule(mostBytes: 1 << 43)) { content in
      for index in 0..<3 { try makeSparse("\(content)/\(index)", "", length: 1 << 43) }
    }
    #expect(result.record.files.map(\.path) == ["2"])
    #expect(result.record.quarantined.map(\.path).sorted() == ["0", "1"])
  }

  @Test func `files without holes stay, however much they are`() throws {
    let result = try store.handOver(ContentRule(mostBytes: 10)) { content in
      try write(String(repeating: "x", count: 3 << 20), to: "\(content)/dense")
    }
    #expect(result.record.quarantined == [])
    #expect(result.record.content.bytes == 3 << 20)
  }

  @Test func `sparse files stay in content that is delivered as it was written`() throws {
    let result = try store.handOver(ContentRule(.asWritten, mostBytes: 10)) { content in
      try makeSparse("\(content)/giant", "", length: 1 << 43)
    }
    #expect(result.record.quarantined == [])
    #expect(result.record.content.bytes == 1 << 43)
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
