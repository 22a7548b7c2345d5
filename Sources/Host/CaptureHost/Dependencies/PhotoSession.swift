// SPDX-License-Identifier: Apache-2.0

package import PhotoLibrary
package import SessionStore

/// The properties of a session that a photo service needs.
package struct PhotoSession: Sendable {
  /// The ID of the session.
  package var id: SessionID
  /// The ID of the app that the session belongs to.
  package var app: String
  /// The content directory on the host.
  package var content: String
  /// The host's directory that contains the copies that are shown to the extension.
  package var library: String
  /// The path of this directory inside the sandbox.
  package var insideLibrary: String
  /// The maximum number of assets that the session may add.
  package var maximumAssets: Int
  /// The maximum total size of the added assets, in bytes.
  package var maximumBytes: Int64
  /// The maximum size of one added asset, in bytes.
  package var maximumAssetBytes: Int64

  /// Creates the properties of a session.
  package init(
    id: SessionID,
    app: String,
    content: String,
    library: String,
    insideLibrary: String,
    mostAssets: Int,
    maximumBytes: Int64,
    maximumAssetBytes: Int64
  ) {
    self.id = id
    self.app = app
    self.content = content
    self.library = library
    self.insideLibrary = insideLibrary
    self.maximumAssets = mostAssets
    self.maximumBytes = maximumBytes
    self.maximumAssetBytes = maximumAssetBytes
  }

  /// The temporary path of a copy. It is outside the shown directory, so that the extension cannot open an
  /// incomplete copy.
  package var temporaryPath: String { "\(library).copying" }

  /// Returns the session as a reader of the library with this access.
  package func reader(_ access: PhotoAccess) -> PhotoReader {
    PhotoReader(app: app, session: id.description, reading: access.reading)
  }
}
