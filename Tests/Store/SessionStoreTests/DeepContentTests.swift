// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import SessionStore

/// Trees deeper than the limits of a process for open descriptors and path lengths.
@Suite struct DeepContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Creates nested directories by descriptor, and files in the innermost one.
  private func makeNestedDirectories(_ top: String, name: String, depth: Int, files: [String] = ["bottom"])
    throws
  {
    var current = try FileSystem.open(top, [.directory])
    for _ in 0..<depth {
      let raw = current.rawValue
      try FileSystem.makeDirectory(name, in: .directory(raw))
      current = try FileSystem.open(name, in: .directory(raw), [.directory])
    }
    let raw = current.rawValue
    for file in files { try FileSystem.open(file, in: .directory(raw), [.write, .create]).writeAll([1]) }
  }

  @Test func `migrates, counts, exports and invalidates a tree of 1900 levels`() throws {
    let depth = 1900
    let result = try store.migrate(digests: .sha256, ContentRule(.asWritten)) {
      try makeNestedDirectories($0, name: "d", depth: depth)
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

  @Test func `accepts portable content of 64 levels and quarantines a deeper directory as a whole`()
    throws
  {
    let result = try store.migrate { content in
      try makeNestedDirectories(content, name: "d", depth: 64)
      try makeNestedDirectories(content, name: "e", depth: 70)
    }
    #expect(result.record.files.map(\.path) == [String(repeating: "d/", count: 64) + "bottom"])
    let deep = Array(repeating: "e", count: 65).joined(separator: "/")
    #expect(result.record.quarantined == [.init(path: deep, reason: .tooDeep)])
    let item = "\(store.app.quarantine(result.record.sessionID))/items/0"
    #expect(try FileSystem.contents("\(item)/e/e/e/e/e/bottom") == [1])
    #expect(try store.leftovers() == [])
  }

  @Test func `delivers a path only if the app can open it below its container`() throws {
    let prefixLength = store.app.contentDirectory.utf8.count + "/".utf8.count + 36 + "/".utf8.count
    let directories = 15 * 251
    let longest = 4095 - prefixLength - directories
    let (fittingName, tooLongName) = (
      String(repeating: "a", count: longest), String(repeating: "b", count: longest + 1)
    )
    let result = try store.migrate { content in
      let name = String(repeating: "n", count: 250)
      try makeNestedDirectories(content, name: name, depth: 15, files: [fittingName, tooLongName])
    }
    let path = try #require(result.record.files.first?.path)
    #expect(result.record.files.count == 1 && path.hasSuffix("/" + fittingName))
    #expect(try FileSystem.contents("\(try #require(result.contentPath))/\(path)") == [1])
    #expect(result.record.quarantined.map(\.reason) == [.pathTooLong])
    #expect(result.record.quarantined.first?.path.hasSuffix("/" + tooLongName) == true)
  }

  @Test func `abandoning a prewarmed session deletes content of any depth`() throws {
    let workspace = try SessionWorkspace.prepare(
      for: store.app,
      extensionID: "org.example.camera.capture",
      stage: .prewarmed
    )
    try makeNestedDirectories(workspace.places.contentDirectory, name: "d", depth: 2000)
    workspace.abandon()
    #expect(try store.leftovers() == [])
  }

  @Test func `quarantines paths longer than PATH_MAX and delivers the rest`() throws {
    let name = String(repeating: "n", count: 200)
    let result = try store.migrate { content in
      try write("good", to: "\(content)/good")
      try makeNestedDirectories(content, name: name, depth: 30)
    }
    #expect(result.record.files.map(\.path) == ["good"])
    #expect(result.record.quarantined.map(\.reason) == [.pathTooLong])
    #expect(try store.leftovers() == [])
  }

  /// A directory that a walk visited, referenced weakly so that it can be closed.
  private struct Visited {
    weak var directory: OpenDirectory?
  }

  @Test func `a walk keeps few directories open and reopens closed parents`() throws {
    try makeNestedDirectories(store.outside, name: "d", depth: 300)
    // This directory is visited after the deep one, so the walk has to reopen the closed parents.
    try FileSystem.makeDirectory("\(store.outside)/last")
    var walk = TreeWalk(try OpenDirectory(FileSystem.open(store.outside, [.directory])))
    var visited: [Visited] = []
    var maximumOpen = 0
    var paths: [String] = []
    while let directory = try walk.next() {
      visited.append(Visited(directory: directory.open))
      maximumOpen = max(maximumOpen, visited.count { $0.directory != nil })
      paths.append(directory.path.text)
      let names = try directory.open.descriptor.entryNames().filter { $0 != Array("bottom".utf8) }
      walk.descend(into: names.sorted { $0.lexicographicallyPrecedes($1) })
    }
    #expect(visited.count == 302)
    #expect(paths.last == "last")
    #expect(maximumOpen < 40)
  }

  @Test func `a walk that only counts stores no paths`() throws {
    try makeNestedDirectories(store.outside, name: String(repeating: "n", count: 250), depth: 200)
    for (paths, longest) in [(TreeWalk.Paths.included, 200 * 251 - 1), (.omitted, 0)] {
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

  @Test func `a walk stops if its current directory is moved`() throws {
    try makeNestedDirectories("\(store.outside)", name: "d", depth: 100)
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
      Issue.record("the walk continued: \(String(describing: error))")
      return
    }
  }
}
