// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// What a session may do with the library under the circumstances of one moment. A pure decision.
package struct PhotoAccess: Hashable, Sendable {
  /// What may be read, by every way: listing, opening, and what is shown in the library directory.
  package enum Reading: Hashable, Sendable, CaseIterable {
    /// Nothing.
    case nothing
    /// What the session itself has added.
    case ownSession
    /// That, and what the person has selected for the app.
    case ownSessionAndSelection
    /// Everything.
    case everything
  }

  /// What may be deleted without asking the person; never more than may be read.
  package enum Deleting: Hashable, Sendable, CaseIterable {
    /// Nothing.
    case nothing
    /// What the session itself has added.
    case ownSession
    /// What the app has added, in whatever session.
    case ownApp
  }

  /// Whether the session may add.
  package var mayAdd: Bool
  /// What it may read.
  package var reading: Reading
  /// What it may delete.
  package var deleting: Deleting

  /// Decides. Adding does not depend on the lock; reading does, whatever the permission: while the machine is locked a
  /// session sees what it has added itself and nothing else.
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

  /// What is allowed at a level. Who may read may also add, and `limited` is a word about reading only.
  package static func status(of level: PhotoAccessLevel, _ permissions: Permissions) -> PermissionStatus {
    switch level {
    case .readWrite: return permissions.photos
    case .addOnly:
      if permissions.photos == .authorized || permissions.photos == .limited { return .authorized }
      return permissions.photosAddOnly == .limited ? .authorized : permissions.photosAddOnly
    }
  }
}

/// Who looks at the library, and with which right.
package struct PhotoReader: Hashable, Sendable {
  /// The app.
  package var app: String
  /// The session; nil: the person or the app itself.
  package var session: String?
  /// What may be read.
  package var reading: PhotoAccess.Reading

  /// Names a reader.
  package init(app: String, session: String?, reading: PhotoAccess.Reading) {
    self.app = app
    self.session = session
    self.reading = reading
  }

  /// The person to whom the library belongs.
  package static let person = PhotoReader(app: "", session: nil, reading: .everything)
}
