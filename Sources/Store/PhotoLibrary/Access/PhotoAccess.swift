// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The access of a session to the photo library in its current situation. A pure decision.
package struct PhotoAccess: Hashable, Sendable {
  /// The assets that may be read, by listing, by opening, and in the library directory.
  package enum Reading: Hashable, Sendable, CaseIterable {
    /// No assets.
    case nothing
    /// The assets that the session has added.
    case ownSession
    /// The assets that the session has added, and those that the user has selected for the app.
    case ownSessionAndSelection
    /// All assets.
    case everything
  }

  /// The assets that may be deleted without asking the user. They are always readable.
  package enum Deleting: Hashable, Sendable, CaseIterable {
    /// No assets.
    case nothing
    /// The assets that the session has added.
    case ownSession
    /// The assets that the app has added, in any session.
    case ownApp
  }

  /// Whether the session may add assets.
  package var mayAdd: Bool
  /// The assets that the session may read.
  package var reading: Reading
  /// The assets that the session may delete.
  package var deleting: Deleting

  /// Decides the access. Adding does not depend on the lock state. While the screen is locked, a session
  /// reads only the assets that it has added, whatever the permission is.
  package init(lock: LockState, permissions: Permissions) {
    let reads = permissions.photos == .authorized || permissions.photos == .limited
    mayAdd = Self.status(of: .addOnly, permissions) == .authorized
    switch (lock, permissions.photos) {
    case (_, .notDetermined), (_, .restricted), (_, .denied): reading = .nothing
    case (.locked, .authorized), (.locked, .limited): reading = .ownSession
    case (.unlocked, .limited): reading = .ownSessionAndSelection
    case (.unlocked, .authorized): reading = .everything
    }
    deleting = !reads ? .nothing : lock == .locked ? .ownSession : .ownApp
  }

  /// Returns the permission status for an access level. Permission to read includes permission to add, and
  /// `limited` restricts only reading.
  package static func status(of level: PhotoAccessLevel, _ permissions: Permissions) -> PermissionStatus {
    switch level {
    case .readWrite: return permissions.photos
    case .addOnly:
      if permissions.photos == .authorized || permissions.photos == .limited { return .authorized }
      return permissions.photosAddOnly == .limited ? .authorized : permissions.photosAddOnly
    }
  }
}

/// A client of the library with its access.
package struct PhotoReader: Hashable, Sendable {
  /// The ID of the app.
  package var app: String
  /// The session ID, or `nil` for the user or the app itself.
  package var session: String?
  /// The assets that may be read.
  package var reading: PhotoAccess.Reading

  /// Creates a reader.
  package init(app: String, session: String?, reading: PhotoAccess.Reading) {
    self.app = app
    self.session = session
    self.reading = reading
  }

  /// The user who owns the library.
  package static let user = PhotoReader(app: "", session: nil, reading: .everything)
}
