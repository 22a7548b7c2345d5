// SPDX-License-Identifier: Apache-2.0

/// The permission of an app for the photo library; Apple's cases and raw values.
public enum PHAuthorizationStatus: Int, Sendable {
  /// The user has not decided yet.
  ///
  /// An extension cannot prompt the user, so for it this means no access.
  case notDetermined = 0
  /// Access cannot be granted on this machine.
  case restricted = 1
  /// The user has denied access.
  case denied = 2
  /// Access is permitted.
  case authorized = 3
  /// Access is permitted to the assets that the user has selected and those that the app has added; only for
  /// ``PHAccessLevel/readWrite``.
  case limited = 4

  init(_ status: PermissionStatus) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .authorized: .authorized
      case .limited: .limited
      }
  }
}

/// The level of access to the photo library; Apple's cases and raw values.
public enum PHAccessLevel: Int, Sendable {
  /// Adding assets, without reading any.
  case addOnly = 1
  /// Reading and changing assets; while the screen is locked, only those that this session has added.
  case readWrite = 2
}

extension PHPhotoLibrary {
  /// Returns the current permission for an access level, without prompting the user.
  ///
  /// An extension has the permissions of its app. In an app, the result is the user's decision with `darkroom
  /// permission`. In any other process, the result is ``PHAuthorizationStatus/notDetermined``.
  public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    guard let permissions = CurrentSession.permissions else {
      let stored = StoredPermissions()
      return stored.map { PHAuthorizationStatus($0[accessLevel == .addOnly ? "photosAddOnly" : "photos"]) }
        ?? .notDetermined
    }
    return PHAuthorizationStatus(accessLevel == .addOnly ? permissions.photosAddOnly : permissions.photos)
  }

  /// Queries the host for the permission for an access level; an extension cannot prompt the user.
  ///
  /// The user grants more access with `darkroom permission`. After the end of the session and outside a
  /// session, the result is that of ``authorizationStatus(for:)``.
  public nonisolated(nonsending) class func requestAuthorization(
    for accessLevel: PHAccessLevel
  ) async -> PHAuthorizationStatus {
    guard let session = CurrentSession.session else { return authorizationStatus(for: accessLevel) }
    return await session.runtime.photoAuthorization(accessLevel) ?? authorizationStatus(for: accessLevel)
  }

  /// Queries the host for the permission for an access level, and calls `handler` in the main actor with the
  /// result.
  public class func requestAuthorization(
    for accessLevel: PHAccessLevel,
    handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    Task { @MainActor in handler(await requestAuthorization(for: accessLevel)) }
  }
}
