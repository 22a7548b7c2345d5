// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// Trees deeper than the descriptors and the paths that a process has.
@Suite struct DeepContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Makes directories in each other by descriptor and a file in the last.
  private func dig(_ top: String, name: String, depth: Int) throws {
    var current = try FileSystem.open(top, [.directory])
    for _ in 0..<depth {
      let raw = current.rawValue
      try FileSystem.makeDirectory(name, in: .directory(raw))
      current = try FileSystem.open(name, in: .directory(raw), [.directory])
    }
    let raw = current.rawValue
    try FileSystem.open("bottom", in: .directory(raw), [.write, .create]).writeAll([1])
  }

  @Test func `a tree of 1,500 levels is handed over, counted, exported and invalidated`() throws {
    let depth = 1500
    let result = try store.handOver(digests: .sha256) { try dig($0, name: "d", depth: depth) }
    let id = result.record.sessionID
    #expect(result.record.content == .init(files: 1, bytes: 1, delivered: true))
    #expect(result.record.files.first?.path == String(repeating: "d/", count: depth) + "bottom")
    let usage = try ContentMeter.measure(store.app.content(id))
    #expect(usage.entries == Int64(depth) + 1)
    let content = DeliveredContent(store.app)
    let copy = try content.export(id, to: store.outside)
    #expect(try ContentMeter.measure(copy).entries == Int64(depth) + 1)
    try content.invalidate(id)
    #expect(try store.leftovers() == [])
  }

  @Test func `what lies deeper than any path reaches is kept from the app, and the rest is not`() throws {
    let name = String(repeating: "n", count: 200)
    let result = try store.handOver { content in
      try write("good", to: "\(content)/good")
      try dig(content, name: name, depth: 30)
    }
    #expect(result.record.files.map(\.path) == ["good"])
    #expect(result.record.quarantined.map(\.reason) == [.pathTooLong])
    #expect(try store.leftovers() == [])
  }

  @Test func `the walk keeps few descriptors open`() throws {
    try dig(store.outside, name: "d", depth: 300)
    let open = try FileSystem.names(in: "/proc/self/fd").count
    let usage = try ContentMeter.measure(store.outside)
    #expect(usage.entries == 301)
    #expect(try FileSystem.names(in: "/proc/self/fd").count <= open + 40)
  }
}
