// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Whether the screen is locked.
package enum LockState: String, CaseIterable, Sendable {
  /// The screen is locked; no data of the user may be displayed.
  case locked
  /// The screen is unlocked.
  case unlocked
}

/// The status of a permission.
package enum PermissionStatus: String, CaseIterable, Sendable {
  /// The permission is granted.
  case authorized
  /// The user denied the permission.
  case denied
  /// The user was not prompted yet.
  case notDetermined
  /// The permission cannot be granted on this machine.
  case restricted
  /// The permission is granted only for assets that the user has selected (photo library only).
  case limited
}

/// The permissions of a session.
package struct Permissions: WireValue {
  package var camera: PermissionStatus
  package var microphone: PermissionStatus
  /// Reading and changing the user's photo library.
  package var photos: PermissionStatus
  /// Adding to the user's photo library.
  package var photosAddOnly: PermissionStatus

  /// Creates permissions. If `photosAddOnly` is `nil`, it follows from `photos`.
  package init(
    camera: PermissionStatus,
    microphone: PermissionStatus = .denied,
    photos: PermissionStatus = .denied,
    photosAddOnly: PermissionStatus? = nil
  ) {
    self.camera = camera
    self.microphone = microphone
    self.photos = photos
    self.photosAddOnly = photosAddOnly ?? Self.addStatus(forReadStatus: photos)
  }

  /// Returns the permission to add that follows from the permission to read. Adding cannot be limited to
  /// selected assets.
  private static func addStatus(forReadStatus photos: PermissionStatus) -> PermissionStatus {
    photos == .limited ? .authorized : photos
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    camera = try fields.choice("camera")
    microphone = try fields.choice("microphone")
    photos = try fields.choice("photos")
    photosAddOnly =
      try fields.ifPresent("photosAddOnly", FieldReader.choice) ?? Self.addStatus(forReadStatus: photos)
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "camera": .string(camera.rawValue),
      "microphone": .string(microphone.rawValue),
      "photos": .string(photos.rawValue),
      "photosAddOnly": .string(photosAddOnly.rawValue),
    ]
  }
}

/// The deadlines of the host, in seconds.
package struct Deadlines: WireValue {
  /// The time from the launch to the reply to `session/start`.
  package var launch: Double
  /// The time from `session/willDismiss` until the extension is killed.
  package var dismissal: Double
  /// The time from the launch until the watchdog's requirements must be fulfilled, or `nil` if the watchdog
  /// is not armed.
  package var watchdog: Double?

  /// Creates deadlines.
  package init(launch: Double, dismissal: Double, watchdog: Double? = nil) {
    self.launch = launch
    self.dismissal = dismissal
    self.watchdog = watchdog
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    launch = try fields.seconds("launch")
    dismissal = try fields.seconds("dismissal")
    watchdog = try fields.ifPresent("watchdog", FieldReader.seconds)
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "launch": .seconds(launch), "dismissal": .seconds(dismissal),
      "watchdog": watchdog.map(JSONValue.seconds) ?? .null,
    ]
  }
}

/// The parameters of `session/willDismiss`.
package struct DismissalNotice: WireValue {
  /// The reason for the dismissal.
  package var reason: DismissalReason
  /// The number of seconds before the extension is killed.
  package var grace: Double

  /// Creates a notice.
  package init(reason: DismissalReason, grace: Double) {
    self.reason = reason
    self.grace = grace
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    reason = try fields.choice("reason")
    grace = try fields.seconds("grace")
  }

  /// The value as JSON.
  package var json: JSONValue { ["reason": .string(reason.rawValue), "grace": .seconds(grace)] }
}

/// A reason for which a session ends.
package enum DismissalReason: String, CaseIterable, Sendable {
  /// The user dismissed the session.
  case user = "person"
  /// The host is shutting down.
  case host
  /// A time limit was reached.
  case deadline
  /// The screen was locked or unlocked.
  case lock
  /// The app was opened.
  case applicationOpened
  /// The user was inactive for too long.
  case idle
  /// The user pressed the power key.
  case powerKey
}

/// The level of a log line.
package enum LogLevel: String, CaseIterable, Sendable {
  /// Information for the developer of the extension.
  case debug
  /// Regular events of a session.
  case info
  /// Events that may interest the user.
  case notice
  /// Errors.
  case error
}

extension JSONValue {
  /// Returns a number of seconds, as an integer if it has no fraction.
  static func seconds(_ value: Double) -> JSONValue {
    // `Int64(exactly:)` calls rounding functions of libm, which a module without system imports does not
    // link.
    guard value >= 0, value < 1e15 else { return .number(value) }
    return Double(Int64(value)) == value ? .integer(Int64(value)) : .number(value)
  }
}
