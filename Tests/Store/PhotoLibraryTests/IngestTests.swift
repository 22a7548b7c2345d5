// SPDX-License-Identifier: Apache-2.0

import CLinux
import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import Testing

@testable import PhotoLibrary

/// Storage and visibility of added files.
@Suite struct IngestTests {
  let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  @Test func `stores a file by year, month and name and resolves name collisions`() throws {
    let library = try PhotoLibrary(store.location)
    let first = try store.add(library, "IMG 1.jpg", "one")
    let second = try store.add(library, "IMG 1.jpg", "two")
    let month = WallClock.text(milliseconds: first.createdAt).prefix(7).split(separator: "-").joined(
      separator: "/"
    )
    #expect(first.path == "\(month)/IMG 1.jpg")
    #expect(second.path == "\(month)/IMG 1 2.jpg")
    #expect(first.mediaType == .image)
    #expect(try store.text(library, first) == "one")
    #expect(try store.text(library, second) == "two")
    #expect(try FileSystem.status(library.filePath(first))?.permissions == 0o600)
    #expect(try store.visibleFiles() == [first.path, second.path].sorted())
  }

  @Test func `stores a file in the month of its creation date`() throws {
    let library = try PhotoLibrary(store.location)
    try store.write("old.jpg", "light")
    var ingest = store.ingest("old.jpg", source: .keep)
    ingest.createdAt = 1_600_000_000_250
    let asset = try store.add(library, existing: ingest)
    #expect(asset.createdAt == 1_600_000_000_250)
    #expect(asset.path == "2020/09/old.jpg")
  }

  @Test func `does not replace a file of another program`() throws {
    let library = try PhotoLibrary(store.location)
    let first = try store.add(library, "a.jpg", "one")
    let other = "\(store.location.path)/\(first.path.dropLast(5))b.jpg"
    try FileSystem.open(other, [.write, .create]).writeAll(Array("theirs".utf8))
    let second = try store.add(library, "b.jpg", "mine")
    #expect(second.path.hasSuffix("/b 2.jpg"))
    #expect(try FileSystem.contents(other) == Array("theirs".utf8))
  }

  @Test func `removes a moved file from the session and keeps a copied one`() throws {
    let library = try PhotoLibrary(store.location)
    try FileSystem.makeDirectory("\(store.content)/roll")
    try store.add(library, "roll/a.jpg", source: .remove)
    try store.add(library, "roll/b.jpg")
    #expect(try FileSystem.names(in: "\(store.content)/roll") == ["b.jpg"])
  }

  @Test func `an open descriptor of the source cannot modify the asset`() throws {
    let library = try PhotoLibrary(store.location)
    try store.write("a.jpg", "light")
    let held = try FileSystem.open("\(store.content)/a.jpg", .readWrite)
    let asset = try store.add(library, existing: store.ingest("a.jpg", source: .remove))
    try held.writeAll(Array("other".utf8))
    #expect(try store.text(library, asset) == "light")
  }

  @Test func `pages list each remaining asset once while assets are added and deleted`() throws {
    let library = try PhotoLibrary(store.location)
    let assets = try (1...7).map { try store.add(library, "\($0).jpg") }
    let expected = assets.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map(\.id)
    var page = try library.list(for: .user, atMost: 3)
    var seen = page.assets.map(\.id)
    try library.delete(#require(page.assets.last))
    try store.add(library, "new.jpg")
    while let next = page.next {
      page = try library.list(for: .user, after: next, atMost: 3)
      seen += page.assets.map(\.id)
    }
    #expect(seen == expected)
    #expect(try library.list(for: .user, after: expected[5], atMost: 3).assets.map(\.id) == [expected[6]])
    #expect(throws: PhotoLibraryError.noSuchAsset("x")) {
      try library.list(for: .user, after: "x", atMost: 3)
    }
  }

  @Test func `a reader lists and opens only the assets that its access level covers`() throws {
    let library = try PhotoLibrary(store.location)
    let other = SessionID.random().description
    let own = try store.add(library, "own.jpg")
    let earlier = try store.add(library, "earlier.jpg", session: other)
    let foreign = try store.add(library, "foreign.jpg", session: other, app: "org.example.other")
    try library.select([earlier.id], for: "org.example.camera", .remove)
    let chosen = try store.add(library, "chosen.jpg", session: other, app: "org.example.other")
    try library.select([chosen.id], for: "org.example.camera", .add)
    func visible(_ reading: PhotoAccess.Reading) throws -> Set<String> {
      let reader = PhotoReader(app: "org.example.camera", session: store.session, reading: reading)
      let listed = Set(try library.list(for: reader, atMost: 200).assets.map(\.id))
      for asset in [own, earlier, foreign, chosen] {
        let opened = try? library.asset(asset.id, for: reader)
        #expect((opened != nil) == listed.contains(asset.id))
      }
      return listed
    }
    #expect(try visible(.nothing) == [])
    #expect(try visible(.ownSession) == [own.id])
    #expect(try visible(.ownSessionAndSelection) == [own.id, chosen.id])
    #expect(try visible(.everything) == [own.id, earlier.id, foreign.id, chosen.id])
  }

  @Test func `assets that an app adds join its selection`() throws {
    let library = try PhotoLibrary(store.location)
    let earlier = try store.add(library, "a.jpg", session: SessionID.random().description)
    let reader = PhotoReader(app: earlier.app, session: store.session, reading: .ownSessionAndSelection)
    #expect(try library.list(for: reader, atMost: 9).assets == [earlier])
    try library.select([], for: earlier.app, .replace)
    #expect(try library.list(for: reader, atMost: 9).assets == [])
    #expect(throws: PhotoLibraryError.noSuchAsset("none")) {
      try library.select([earlier.id, "none"], for: earlier.app, .add)
    }
    #expect(try library.list(for: reader, atMost: 9).assets == [])
  }

  @Test func `deletes an asset with its file, once`() throws {
    let library = try PhotoLibrary(store.location)
    let asset = try store.add(library, "a.jpg")
    try library.delete(asset)
    #expect(try store.visibleFiles() == [])
    #expect(throws: PhotoLibraryError.noSuchAsset(asset.id)) { try library.delete(asset) }
  }

  @Test func `refuses an index of a newer version`() throws {
    do { _ = try PhotoLibrary(store.location) }
    do {
      let database = try Database(store.location.indexFile)
      try database.execute("PRAGMA user_version = 99")
    }
    #expect(throws: PhotoLibraryError.newerIndex(path: store.location.indexFile, version: 99, known: 1)) {
      _ = try PhotoLibrary(store.location)
    }
  }

  @Test func `refuses a library directory that others can write to`() throws {
    try FileSystem.makeDirectories(store.location.path)
    try #require(chmod(store.location.path, 0o777) == 0)
    #expect(throws: PhotoLibraryError.notPrivate(path: store.location.path, .writableByOthers(0o777))) {
      _ = try PhotoLibrary(store.location)
    }
  }

  @Test func `notifies a watcher of each change`() throws {
    let library = try PhotoLibrary(store.location)
    let watch = try PhotoLibrary(store.location).watch()
    #expect(try watch.changes().isEmpty)
    let asset = try store.add(library, "a.jpg")
    #expect(try !watch.changes().isEmpty)
    try library.delete(asset)
    #expect(try !watch.changes().isEmpty)
  }
}
