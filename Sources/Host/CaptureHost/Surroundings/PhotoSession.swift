// SPDX-License-Identifier: Apache-2.0

package import PhotoLibrary
package import SessionStore

/// The session for which a photo service works.
package struct PhotoSession: Sendable {
  /// Its id.
  package var id: SessionID
  /// The app that it belongs to.
  package var app: String
  /// Its content directory on the host.
  package var content: String
  /// The directory on the host whose files the extension is shown.
  package var library: String
  /// The same directory as the extension knows it.
  package var insideLibrary: String
  /// How many assets it may add.
  package var mostAssets: Int
  /// How many bytes all of them together may have.
  package var mostBytes: Int64
  /// How many bytes one of them may have.
  package var mostBytesOfOne: Int64

  /// Describes a session.
  package init(
    id: SessionID,
    app: String,
    content: String,
    library: String,
    insideLibrary: String,
    mostAssets: Int,
    mostBytes: Int64,
    mostBytesOfOne: Int64
  ) {
    self.id = id
    self.app = app
    self.content = content
    self.library = library
    self.insideLibrary = insideLibrary
    self.mostAssets = mostAssets
    self.mostBytes = mostBytes
    self.mostBytesOfOne = mostBytesOfOne
  }

  /// Where a copy is while it is made: beside the directory that is shown, so that nobody can open it yet.
  package var copying: String { "\(library).copying" }

  /// The session as a reader who may do this.
  package func reader(_ access: PhotoAccess) -> PhotoReader {
    PhotoReader(app: app, session: id.description, reading: access.reading)
  }
}
