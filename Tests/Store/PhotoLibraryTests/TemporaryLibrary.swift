// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@testable import PhotoLibrary

/// A library and a session content directory that are removed with their last reference.
final class TemporaryLibrary {
  /// The location of the library.
  let location: LibraryLocation
  /// The session content directory.
  let content: String
  /// The ID of the session.
  let session = SessionID.random().description
  /// The temporary directory that contains the library and the session content directory.
  let directory: String

  /// Creates the directories, except that of the library.
  init() throws {
    directory = "/tmp/darkroom-library-\(Randomness.hexadecimal(bytes: 8))"
    location = LibraryLocation(path: "\(directory)/Pictures/Darkroom")
    content = "\(directory)/content"
    try FileSystem.makeDirectories(content)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Writes a file into the session content directory.
  func write(_ name: String, _ text: String = "light") throws {
    let file = try FileSystem.open("\(content)/\(name)", [.write, .create, .truncate])
    try file.writeAll(Array(text.utf8))
  }

  /// Returns the ingest request of an extension.
  func ingest(
    _ path: String,
    title: String? = nil,
    session: String? = nil,
    app: String = "org.example.camera",
    source: Ingest.Source = .keep,
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

  /// Writes a file and adds it to the library.
  @discardableResult
  func add(
    _ library: PhotoLibrary,
    _ name: String,
    _ text: String = "light",
    session: String? = nil,
    app: String = "org.example.camera",
    source: Ingest.Source = .keep
  ) throws -> Asset {
    try write(name, text)
    return try library.add(
      ingest(name, session: session, app: app, source: source),
      in: FileSystem.open(content, [.directory])
    )
  }

  /// Adds an existing file to the library.
  func add(_ library: PhotoLibrary, existing ingest: Ingest) throws -> Asset {
    try library.add(ingest, in: FileSystem.open(content, [.directory]))
  }

  /// Returns the text of an asset's file.
  func text(_ library: PhotoLibrary, _ asset: Asset) throws -> String {
    String(decoding: try library.open(asset).readAll(limit: 1 << 20) ?? [], as: UTF8.self)
  }

  /// Returns all files in the library's directory that a user would find.
  func visibleFiles() throws -> [String] { try files(location.path, "") }

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
