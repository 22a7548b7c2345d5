// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@testable import PhotoLibrary

/// A library and a session's directory, which are removed when nobody refers to them any more.
final class TemporaryLibrary {
  /// Where the library is.
  let place: LibraryPlace
  /// The session's content directory.
  let content: String
  /// A session.
  let session = SessionID.random().description
  /// Everything.
  let directory: String

  /// Makes the directories; the library makes its own.
  init() throws {
    directory = "/tmp/darkroom-library-\(Randomness.hexadecimal(bytes: 8))"
    place = LibraryPlace(path: "\(directory)/Pictures/Darkroom")
    content = "\(directory)/content"
    try FileSystem.makeDirectories(content)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Writes a file into the session's directory.
  func write(_ name: String, _ text: String = "light") throws {
    let file = try FileSystem.open("\(content)/\(name)", [.write, .create, .truncate])
    try file.writeAll(Array(text.utf8))
  }

  /// What an extension asks for.
  func ingest(
    _ path: String,
    title: String? = nil,
    session: String? = nil,
    app: String = "org.example.camera",
    source: Ingest.Source = .stays,
    limit: Int64 = 1 << 20
  ) -> Ingest {
    Ingest(
      directory: content,
      path: path,
      title: title,
      app: app,
      session: session ?? self.session,
      source: source,
      limit: limit
    )
  }

  /// Writes a file and adds it.
  @discardableResult
  func add(
    _ library: PhotoLibrary,
    _ name: String,
    _ text: String = "light",
    session: String? = nil,
    app: String = "org.example.camera",
    source: Ingest.Source = .stays
  ) throws -> Asset {
    try write(name, text)
    return try library.add(
      ingest(name, session: session, app: app, source: source),
      in: FileSystem.open(content, [.directory])
    )
  }

  /// Adds a file that is there.
  func add(_ library: PhotoLibrary, existing ingest: Ingest) throws -> Asset {
    try library.add(ingest, in: FileSystem.open(content, [.directory]))
  }

  /// The text of an asset's file.
  func text(_ library: PhotoLibrary, _ asset: Asset) throws -> String {
    String(decoding: try library.open(asset).readAll(limit: 1 << 20) ?? [], as: UTF8.self)
  }

  /// All files that people would find, below the library's directory.
  func visibleFiles() throws -> [String] { try files(place.path, "") }

  private func files(_ path: String, _ prefix: String) throws -> [String] {
    var found: [String] = []
    for name in try FileSystem.names(in: path) where name != ".darkroom" {
      if try FileSystem.status("\(path)/\(name)")?.kind == .directory {
        found += try files("\(path)/\(name)", "\(prefix)\(name)/")
      } else {
        found.append(prefix + name)
      }
    }
    return found
  }
}
