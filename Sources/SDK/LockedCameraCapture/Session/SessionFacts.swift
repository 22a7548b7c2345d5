// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The lock state of the screen.
public enum LockState: Sendable {
  /// The screen is locked: do not show data of the user.
  case locked
  /// The screen is unlocked.
  case unlocked

  init(_ state: ExtensionProtocol.LockState) {
    self = state == .locked ? .locked : .unlocked
  }
}

/// The status of one permission.
public enum PermissionStatus: Sendable {
  /// Access is permitted.
  case authorized
  /// The user has denied access.
  case denied
  /// The user has not decided yet.
  case notDetermined
  /// Access cannot be granted on this machine.
  case restricted
  /// Access is permitted only to items that the user has selected; photo library only.
  case limited

  init(_ status: ExtensionProtocol.PermissionStatus) {
    self =
      switch status {
      case .authorized: .authorized
      case .denied: .denied
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .limited: .limited
      }
  }
}

/// The permissions of a session.
public struct SessionPermissions: Sendable, Hashable {
  /// The permission for the camera.
  public let camera: PermissionStatus
  /// The permission for the microphone.
  public let microphone: PermissionStatus
  /// The permission to read and change the user's photo library.
  public let photos: PermissionStatus
  /// The permission to add to the user's photo library.
  public let photosAddOnly: PermissionStatus

  init(_ permissions: Permissions) {
    camera = PermissionStatus(permissions.camera)
    microphone = PermissionStatus(permissions.microphone)
    photos = PermissionStatus(permissions.photos)
    photosAddOnly = PermissionStatus(permissions.photosAddOnly)
  }
}

/// The reason why a session ends.
public enum DismissalReason: Sendable {
  /// The user has dismissed it.
  case person
  /// The host is shutting down.
  case host
  /// A time limit has expired.
  case deadline
  /// The screen was locked or unlocked.
  case lock
  /// The app was opened.
  case applicationOpened
  /// There was no user activity for some time.
  case idle
  /// The user has pressed the power key.
  case powerKey

  init(_ reason: ExtensionProtocol.DismissalReason) {
    self =
      switch reason {
      case .user: .person
      case .host: .host
      case .deadline: .deadline
      case .lock: .lock
      case .applicationOpened: .applicationOpened
      case .idle: .idle
      case .powerKey: .powerKey
      }
  }
}

/// The frames to deliver.
public enum FrameDelivery: Sendable {
  /// The newest frame; frames for which the extension is too slow are dropped.
  case latest
  /// Every frame; the source of the frames waits for the extension.
  case every

  var protocolValue: ExtensionProtocol.FrameDelivery { self == .latest ? .latest : .every }
}

/// The severity of a log message.
public enum LogLevel: Sendable {
  /// Details for the developer of the extension.
  case debug
  /// Events that occur in any session.
  case info
  /// Events that may interest the user.
  case notice
  /// Errors.
  case error

  var protocolValue: ExtensionProtocol.LogLevel {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .error: .error
    }
  }
}
