// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Whether the person is locked out of the machine.
public enum LockState: Sendable {
  /// Yes: show nothing of the person's.
  case locked
  /// No.
  case unlocked

  init(_ state: ExtensionProtocol.LockState) {
    self = state == .locked ? .locked : .unlocked
  }
}

/// Whether something may be used.
public enum PermissionStatus: Sendable {
  /// Yes.
  case authorized
  /// The person has said no.
  case denied
  /// Nobody has asked the person yet.
  case notDetermined
  /// It cannot be allowed on this machine.
  case restricted
  /// Only for what the person has chosen; of the photo library only.
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

/// What a session may use.
public struct SessionPermissions: Sendable, Hashable {
  /// The camera.
  public let camera: PermissionStatus
  /// The microphone.
  public let microphone: PermissionStatus
  /// Reading and changing the person's photo library.
  public let photos: PermissionStatus
  /// Adding to the person's photo library.
  public let photosAddOnly: PermissionStatus

  init(_ permissions: Permissions) {
    camera = PermissionStatus(permissions.camera)
    microphone = PermissionStatus(permissions.microphone)
    photos = PermissionStatus(permissions.photos)
    photosAddOnly = PermissionStatus(permissions.photosAddOnly)
  }
}

/// Why a session ends.
public enum DismissalReason: Sendable {
  /// The person has dismissed it.
  case person
  /// The host is going away.
  case host
  /// A time is up.
  case deadline
  /// The machine was locked or unlocked.
  case lock
  /// The app was opened.
  case applicationOpened
  /// Nobody has done anything for a while.
  case idle
  /// The person has pressed the power key.
  case powerKey

  init(_ reason: ExtensionProtocol.DismissalReason) {
    self =
      switch reason {
      case .person: .person
      case .host: .host
      case .deadline: .deadline
      case .lock: .lock
      case .applicationOpened: .applicationOpened
      case .idle: .idle
      case .powerKey: .powerKey
      }
  }
}

/// Which frames are wanted.
public enum FrameDelivery: Sendable {
  /// The newest; those that the extension is too slow for are dropped.
  case latest
  /// Every one; the camera's source waits for the extension.
  case every

  var wire: ExtensionProtocol.FrameDelivery { self == .latest ? .latest : .every }
}

/// How much a line matters.
public enum LogLevel: Sendable {
  /// For who develops the extension.
  case debug
  /// What happens in any session.
  case info
  /// What the person might want to know.
  case notice
  /// What went wrong.
  case error

  var wire: ExtensionProtocol.LogLevel {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .error: .error
    }
  }
}
