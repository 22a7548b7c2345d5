// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import PhotoLibrary

/// Crashes after each step of an ingest or a deletion, and during recovery.
@Suite struct CrashTests {
  let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  static let ingestSteps: [IngestStep] = [.reserved, .copied, .staged, .placed, .committed, .sourceRemoved]

  /// Adds `a.jpg` and stops after a step, like a crash.
  private func crash(after last: IngestStep, _ source: Ingest.Source) throws {
    try store.write("a.jpg")
    let library = try PhotoLibrary(store.location) { step throws(PhotoLibraryError) in
      if step == last { throw .stopped(step) }
    }
    #expect(throws: PhotoLibraryError.stopped(last)) {
      try store.add(library, existing: store.ingest("a.jpg", source: source))
    }
  }

  /// Expects that the file is in the library or in the session, and not in both if it was moved.
  private func check(_ library: PhotoLibrary, _ source: Ingest.Source, isAdded: Bool) throws {
    let assets = try library.list(for: .user, atMost: 9).assets
    let session = try FileSystem.names(in: store.content)
    #expect(assets.count == (isAdded ? 1 : 0))
    #expect(try assets.map { try store.text(library, $0) } == (isAdded ? ["light"] : []))
    #expect(try store.visibleFiles() == assets.map(\.path))
    #expect(session == (isAdded && source == .remove ? [] : ["a.jpg"]))
    #expect(try FileSystem.names(in: store.location.incomingDirectory) == [])
    #expect(try library.index.unfinished().isEmpty)
  }

  @Test(arguments: ingestSteps, [Ingest.Source.keep, .remove])
  func `loses and duplicates nothing after a crash at any step of an ingest`(
    _ step: IngestStep,
    _ source: Ingest.Source
  ) throws {
    try crash(after: step, source)
    let library = try PhotoLibrary(store.location)
    try check(library, source, isAdded: ![.reserved, .copied].contains(step))
    // A second recovery has nothing to do.
    #expect(try PhotoLibrary(store.location).recovered == RecoveredWork())
  }

  @Test(arguments: [IngestStep.placed, .committed, .sourceRemoved])
  func `recovers from a crash during recovery`(_ step: IngestStep) throws {
    try crash(after: .staged, .remove)
    #expect(throws: PhotoLibraryError.stopped(step)) {
      _ = try PhotoLibrary(store.location) { found throws(PhotoLibraryError) in
        if found == step { throw .stopped(found) }
      }
    }
    try check(PhotoLibrary(store.location), .remove, isAdded: true)
  }

  @Test(arguments: [IngestStep.leaving, .removed])
  func `completes an interrupted deletion`(_ step: IngestStep) throws {
    do {
      let library = try PhotoLibrary(store.location) { found throws(PhotoLibraryError) in
        if found == step { throw .stopped(found) }
      }
      let asset = try store.add(library, "a.jpg")
      #expect(throws: PhotoLibraryError.stopped(step)) { try library.delete(asset) }
      #expect(try library.list(for: .user, atMost: 9).assets == [])
    }
    let library = try PhotoLibrary(store.location)
    #expect(library.recovered.removed.count == 1)
    try check(library, .keep, isAdded: false)
  }

  @Test func `recovery leaves an ingest in progress alone`() throws {
    try store.write("a.jpg")
    var inside: RecoveredWork?
    let location = store.location
    let library = try PhotoLibrary(location) { step throws(PhotoLibraryError) in
      if step == .copied { inside = try PhotoLibrary(location).recovered }
    }
    _ = try store.add(library, existing: store.ingest("a.jpg", source: .remove))
    #expect(inside == RecoveredWork())
    try check(library, .remove, isAdded: true)
  }

  @Test func `does not overwrite a file created between reservation and placement`() throws {
    try store.write("a.jpg")
    let path = store.location.path
    let library = try PhotoLibrary(store.location) { step throws(PhotoLibraryError) in
      guard step == .staged else { return }
      do throws(SystemCallError) {
        let year = try FileSystem.names(in: path).filter { $0 != ".darkroom" }
        #expect(year == [])
        let month = WallClock.text(milliseconds: WallClock.milliseconds).prefix(7).split(separator: "-")
          .joined(separator: "/")
        try FileSystem.makeDirectories("\(path)/\(month)")
        try FileSystem.open("\(path)/\(month)/a.jpg", [.write, .create]).writeAll([1])
      } catch { throw .system(error) }
    }
    let asset = try store.add(library, existing: store.ingest("a.jpg"))
    #expect(asset.path.hasSuffix("/a 2.jpg"))
    #expect(try library.asset(asset.id, for: .user) == asset)
    #expect(try store.text(library, asset) == "light")
  }

  @Test func `keeps a file that the extension puts in place of the moved one`() throws {
    try store.write("a.jpg")
    let content = store.content
    let library = try PhotoLibrary(store.location) { step throws(PhotoLibraryError) in
      guard step == .committed else { return }
      do throws(SystemCallError) {
        let file = try FileSystem.open("\(content)/b", [.write, .create])
        try file.writeAll(Array("new".utf8))
        try FileSystem.rename("\(content)/b", to: "\(content)/a.jpg", .replace)
      } catch { throw .system(error) }
    }
    let asset = try store.add(library, existing: store.ingest("a.jpg", source: .remove))
    #expect(try store.text(library, asset) == "light")
    #expect(try FileSystem.contents("\(content)/a.jpg") == Array("new".utf8))
  }
}
