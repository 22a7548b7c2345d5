// SPDX-License-Identifier: Apache-2.0

/// What the person allows an app in the photo library; Apple's cases and numbers.
public enum PHAuthorizationStatus: Int, Sendable {
  /// Nobody has asked the person yet. An extension cannot ask: for it this is a no.
  case notDetermined = 0
  /// It cannot be allowed on this machine.
  case restricted = 1
  /// The person has said no.
  case denied = 2
  /// Yes.
  case authorized = 3
  /// Only for what the person has chosen, and what the app has added itself; of ``PHAccessLevel/readWrite`` only.
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

/// What an app wants to do in the photo library; Apple's cases and numbers.
public enum PHAccessLevel: Int, Sendable {
  /// Add to it, and read nothing.
  case addOnly = 1
  /// Read and change it; while the machine is locked, only what this session has added.
  case readWrite = 2
}

extension PHPhotoLibrary {
  /// What an access level is allowed at the moment; nobody is asked.
  ///
  /// An extension has what its app has. An app is told what the person has decided, with `darkroom permission`. In a
  /// process that is neither, the answer is ``PHAuthorizationStatus/notDetermined``.
  public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    guard let permissions = CurrentSession.permissions else {
      let decided = DecidedPermissions()
      return decided.map { PHAuthorizationStatus($0[accessLevel == .addOnly ? "photosAddOnly" : "photos"]) }
        ?? .notDetermined
    }
    return PHAuthorizationStatus(accessLevel == .addOnly ? permissions.photosAddOnly : permissions.photos)
  }

  /// Asks the host what an access level is allowed; it never asks the person, in an extension.
  ///
  /// Who needs more says so; the person decides with `darkroom permission`. When the session has ended, or there is none, the answer
  /// is what ``authorizationStatus(for:)`` knows.
  public nonisolated(nonsending) class func requestAuthorization(
    for accessLevel: PHAccessLevel
  ) async -> PHAuthorizationStatus {
    guard let session = CurrentSession.session else { return authorizationStatus(for: accessLevel) }
    return await session.runtime.photoAuthorization(accessLevel) ?? authorizationStatus(for: accessLevel)
  }

  /// Asks the host what an access level is allowed, and calls `handler` with the answer, in the main actor.
  public class func requestAuthorization(
    for accessLevel: PHAccessLevel,
    handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    Task { @MainActor in handler(await requestAuthorization(for: accessLevel)) }
  }
}
