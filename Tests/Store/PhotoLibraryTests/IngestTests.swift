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

  @Test func `a file is found by year, month and name, and equal names do not collide`() throws {
    let library = try PhotoLibrary(store.place)
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

  @Test func `a file that was made earlier lies in its own month`() throws {
    let library = try PhotoLibrary(store.place)
    try store.write("old.jpg", "light")
    var ingest = store.ingest("old.jpg", source: .stays)
    ingest.createdAt = 1_600_000_000_250
    let asset = try store.add(library, existing: ingest)
    #expect(asset.createdAt == 1_600_000_000_250)
    #expect(asset.path == "2020/09/old.jpg")
  }

  @Test func `a file that somebody else has put there is not replaced`() throws {
    let library = try PhotoLibrary(store.place)
    let first = try store.add(library, "a.jpg", "one")
    let other = "\(store.place.path)/\(first.path.dropLast(5))b.jpg"
    try FileSystem.open(other, [.write, .create]).writeAll(Array("theirs".utf8))
    let second = try store.add(library, "b.jpg", "mine")
    #expect(second.path.hasSuffix("/b 2.jpg"))
    #expect(try FileSystem.contents(other) == Array("theirs".utf8))
  }

  @Test func `a moved file is gone from the session, a copied one is not`() throws {
    let library = try PhotoLibrary(store.place)
    try FileSystem.makeDirectory("\(store.content)/roll")
    try store.add(library, "roll/a.jpg", source: .isRemoved)
    try store.add(library, "roll/b.jpg")
    #expect(try FileSystem.names(in: "\(store.content)/roll") == ["b.jpg"])
  }

  @Test func `who holds the file open cannot change what is in the library`() throws {
    let library = try PhotoLibrary(store.place)
    try store.write("a.jpg", "light")
    let held = try FileSystem.open("\(store.content)/a.jpg", .readWrite)
    let asset = try store.add(library, existing: store.ingest("a.jpg", source: .isRemoved))
    try held.writeAll(Array("other".utf8))
    #expect(try store.text(library, asset) == "light")
  }

  @Test func `pages follow each other, also when assets come and go between them`() throws {
    let library = try PhotoLibrary(store.place)
    let assets = try (1...7).map { try store.add(library, "\($0).jpg") }
    let expected = assets.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map(\.id)
    var page = try library.list(for: .person, atMost: 3)
    var seen = page.assets.map(\.id)
    try library.delete(#require(page.assets.last))
    try store.add(library, "new.jpg")
    while let next = page.next {
      page = try library.list(for: .person, after: next, atMost: 3)
      seen += page.assets.map(\.id)
    }
    #expect(seen == expected)
    #expect(try library.list(for: .person, after: expected[5], atMost: 3).assets.map(\.id) == [expected[6]])
    #expect(throws: PhotoLibraryError.noSuchAsset("x")) {
      try library.list(for: .person, after: "x", atMost: 3)
    }
  }

  @Test func `a reader sees what its right covers, and nothing of the rest by its id`() throws {
    let library = try PhotoLibrary(store.place)
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

  @Test func `what an app adds is among what is selected for it`() throws {
    let library = try PhotoLibrary(store.place)
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

  @Test func `a deleted asset is gone with its file, once`() throws {
    let library = try PhotoLibrary(store.place)
    let asset = try store.add(library, "a.jpg")
    try library.delete(asset)
    #expect(try store.visibleFiles() == [])
    #expect(throws: PhotoLibraryError.noSuchAsset(asset.id)) { try library.delete(asset) }
  }

  @Test func `an index of a newer version is left alone`() throws {
    do { _ = try PhotoLibrary(store.place) }
    do {
      let database = try Database(store.place.indexFile)
      try database.execute("PRAGMA user_version = 99")
    }
    #expect(throws: PhotoLibraryError.newerIndex(path: store.place.indexFile, version: 99, known: 1)) {
      _ = try PhotoLibrary(store.place)
    }
  }

  @Test func `a directory that others may write to is no library`() throws {
    try FileSystem.makeDirectories(store.place.path)
    try #require(chmod(store.place.path, 0o777) == 0)
    #expect(throws: PhotoLibraryError.notPrivate(path: store.place.path, .writableByOthers(0o777))) {
      _ = try PhotoLibrary(store.place)
    }
  }

  @Test func `whoever watches hears of each change`() throws {
    let library = try PhotoLibrary(store.place)
    let watch = try PhotoLibrary(store.place).watch()
    #expect(try watch.changes().isEmpty)
    let asset = try store.add(library, "a.jpg")
    #expect(try !watch.changes().isEmpty)
    try library.delete(asset)
    #expect(try !watch.changes().isEmpty)
  }
}
