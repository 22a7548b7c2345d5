// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import SessionStore

/// Trees deeper than the limits of a process for open descriptors and path lengths.
@Suite struct DeepContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Creates nested directories by descriptor, and files in the innermost one.
  private func dig(_ top: String, name: String, depth: Int, files: [String] = ["bottom"]) throws {
    var current = try FileSystem.open(top, [.directory])
    for _ in 0..<depth {
      let raw = current.rawValue
      try FileSystem.makeDirectory(name, in: .directory(raw))
      current = try FileSystem.open(name, in: .directory(raw), [.directory])
    }
    let raw = current.rawValue
    for file in files { try FileSystem.open(file, in: .directory(raw), [.write, .create]).writeAll([1]) }
  }

  @Test func `a tree of 1,900 levels is handed over, counted, exported and invalidated`() throws {
    let depth = 1900
    let result = try store.handOver(digests: .sha256, ContentRule(.asWritten)) {
      try dig($0, name: "d", depth: depth)
    }
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

  @Test func `portable content has 64 directories inside each other, and a deeper one is quarantined whole`()
    throws
  {
    let result = try store.handOver { content in
      try dig(content, name: "d", depth: 64)
      try dig(content, name: "e", depth: 70)
    }
    #expect(result.record.files.map(\.path) == [String(repeating: "d/", count: 64) + "bottom"])
    let deep = Array(repeating: "e", count: 65).joined(separator: "/")
    #expect(result.record.quarantined == [.init(path: deep, reason: .tooDeep)])
    let item = "\(store.app.quarantine(result.record.sessionID))/items/0"
    #expect(try FileSystem.contents("\(item)/e/e/e/e/e/bottom") == [1])
    #expect(try store.leftovers() == [])
  }

  @Test func `a path reaches the app exactly if the app can open it below its container`() throws {
    let place = store.app.contentDirectory.utf8.count + "/".utf8.count + 36 + "/".utf8.count
    let directories = 15 * 251
    let longest = 4095 - place - directories
    let (right, wrong) = (String(repeating: "a", count: longest), String(repeating: "b", count: longest + 1))
    let result = try store.handOver { content in
      let name = String(repeating: "n", count: 250)
      try dig(content, name: name, depth: 15, files: [right, wrong])
    }
    let path = try #require(result.record.files.first?.path)
    #expect(result.record.files.count == 1 && path.hasSuffix("/" + right))
    #expect(try FileSystem.contents("\(try #require(result.contentPath))/\(path)") == [1])
    #expect(result.record.quarantined.map(\.reason) == [.pathTooLong])
    #expect(result.record.quarantined.first?.path.hasSuffix("/" + wrong) == true)
  }

  @Test func `what an extension made that was never launched is deleted however deep it is`() throws {
    let workspace = try SessionWorkspace.prepare(
      for: store.app,
      extensionID: "org.example.camera.capture",
      stage: .waiting
    )
    try dig(workspace.places.contentDirectory, name: "d", depth: 2000)
    workspace.abandon()
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

  /// A directory that a walk visited, referenced weakly so that it can be closed.
  private struct Visited {
    weak var directory: OpenDirectory?
  }

  @Test func `a walk keeps few directories open, and finds its way up through the closed ones`() throws {
    try dig(store.outside, name: "d", depth: 300)
    // This directory is visited after the deep one, so the walk has to reopen the closed parents.
    try FileSystem.makeDirectory("\(store.outside)/last")
    var walk = TreeWalk(try OpenDirectory(FileSystem.open(store.outside, [.directory])))
    var visited: [Visited] = []
    var mostOpen = 0
    var paths: [String] = []
    while let directory = try walk.next() {
      visited.append(Visited(directory: directory.open))
      mostOpen = max(mostOpen, visited.count { $0.directory != nil })
      paths.append(directory.path.text)
      let names = try directory.open.descriptor.entryNames().filter { $0 != Array("bottom".utf8) }
      walk.descend(into: names.sorted { $0.lexicographicallyPrecedes($1) })
    }
    #expect(visited.count == 302)
    #expect(paths.last == "last")
    #expect(mostOpen < 40)
  }

  @Test func `a walk that only counts keeps no paths, which would be gigabytes in a deep tree`() throws {
    try dig(store.outside, name: String(repeating: "n", count: 250), depth: 200)
    for (paths, longest) in [(TreeWalk.Paths.kept, 200 * 251 - 1), (.forgotten, 0)] {
      var walk = TreeWalk(try OpenDirectory(FileSystem.open(store.outside, [.directory])), paths: paths)
      var lengths: [Int] = []
      while let directory = try walk.next() {
        lengths.append(directory.path.bytes.count)
        walk.descend(into: try directory.open.descriptor.entryNames().filter { $0 != Array("bottom".utf8) })
      }
      #expect(lengths.count == 201)
      #expect(lengths.max() == longest)
    }
    #expect(try ContentMeter.measure(store.outside).entries == 201)
  }

  @Test func `a directory that is moved while the walk is in it ends the walk`() throws {
    try dig("\(store.outside)", name: "d", depth: 100)
    var walk = TreeWalk(try OpenDirectory(FileSystem.open(store.outside, [.directory])))
    let error = #expect(throws: StoreError.self) {
      while let directory = try walk.next() {
        let names = try directory.open.descriptor.entryNames()
        walk.descend(into: names.filter { $0 != Array("bottom".utf8) })
        if directory.path.bytes.count == 199 {
          let middle = String(repeating: "d/", count: 50) + "d"
          try FileSystem.rename(
            "\(store.outside)/\(middle)",
            to: "\(store.root.trashDirectory)/moved",
            .noReplace
          )
        }
      }
    }
    guard case .changedDuringWalk = error else {
      Issue.record("the walk went on: \(String(describing: error))")
      return
    }
  }
}
