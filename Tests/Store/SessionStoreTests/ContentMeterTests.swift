// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import Testing

@testable import SessionStore

@Suite struct ContentMeterTests {
  let store: TemporaryStore
  var top: String { "\(store.outside)/top" }

  init() throws {
    store = try TemporaryStore()
    try FileSystem.makeDirectory(top)
  }

  @Test func `counts files, directories and bytes without following links`() throws {
    try FileSystem.makeDirectories("\(top)/a/b")
    try write("12345", to: "\(top)/a/b/five")
    try write("123", to: "\(top)/three")
    try write("outside", to: "\(store.outside)/other")
    succeed(symlink("../other", "\(top)/l"), "symlink")
    let usage = try ContentMeter.measure(top)
    #expect(usage.entries == 5)
    #expect(usage.files == 3)
    // The size of a symbolic link is the length of its target.
    #expect(usage.apparentBytes == 8 + 8)
    #expect(usage.allocatedBytes > 0)
    #expect(usage.coverage == .complete)
  }

  @Test func `counts the length of a hole but no allocated space`() throws {
    try write("", to: "\(top)/sparse")
    succeed(truncate("\(top)/sparse", 1 << 40), "truncate")
    let usage = try ContentMeter.measure(top)
    #expect(usage.apparentBytes == 1 << 40)
    #expect(usage.allocatedBytes < 1 << 20)
    #expect(ContentLimit(bytes: 1 << 30).isExceeded(by: usage))
  }

  @Test func `stops counting when the limit is exceeded`() throws {
    for index in 0..<100 { try write("x", to: "\(top)/\(index)") }
    let usage = try ContentMeter.measure(top, limit: ContentLimit(entries: 10))
    #expect(usage.entries == 11)
    #expect(usage.coverage == .limitExceeded)
  }

  @Test func `throws for a directory that does not exist`() {
    #expect(throws: StoreError.self) { try ContentMeter.measure("\(top)/none") }
  }

  @Test func `saturates a sum that overflows`() {
    #expect(saturatingSum(.max, 1) == .max)
    #expect(saturatingSum(1, 2) == 3)
  }

  @Test func `skips an unreadable directory, reports incomplete coverage and counts the rest`() throws {
    try FileSystem.makeDirectory("\(top)/a")
    try write("x", to: "\(top)/a/hidden")
    try write("x", to: "\(top)/b")
    succeed(chmod("\(top)/a", 0), "chmod")
    defer { chmod("\(top)/a", 0o700) }
    let usage = try ContentMeter.measure(top)
    // Root can read any directory.
    let isRoot = CurrentProcess.effectiveUserID == 0
    #expect(usage.entries == (isRoot ? 3 : 2))
    #expect(usage.coverage == (isRoot ? .complete : .changedDuringCount))
  }
}
