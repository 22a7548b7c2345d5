// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Whether the person is locked out of the machine.
package enum LockState: String, CaseIterable, Sendable {
  /// Yes: nothing of the person's may be shown.
  case locked
  /// No.
  case unlocked
}

/// Whether something may be used.
package enum PermissionStatus: String, CaseIterable, Sendable {
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
}

/// What a session may use.
package struct Permissions: WireValue {
  /// The camera.
  package var camera: PermissionStatus
  /// The microphone.
  package var microphone: PermissionStatus
  /// Reading and changing the person's photo library.
  package var photos: PermissionStatus
  /// Adding to the person's photo library.
  package var photosAddOnly: PermissionStatus

  /// Makes permissions; whoever says nothing of adding may add where they may read.
  package init(
    camera: PermissionStatus,
    microphone: PermissionStatus = .denied,
    photos: PermissionStatus = .denied,
    photosAddOnly: PermissionStatus? = nil
  ) {
    self.camera = camera
    self.microphone = microphone
    self.photos = photos
    self.photosAddOnly = photosAddOnly ?? Self.adding(whereReadingIs: photos)
  }

  /// What the permission to read says of the permission to add: adding cannot be limited to some pictures.
  private static func adding(whereReadingIs photos: PermissionStatus) -> PermissionStatus {
    photos == .limited ? .authorized : photos
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    camera = try fields.choice("camera")
    microphone = try fields.choice("microphone")
    photos = try fields.choice("photos")
    photosAddOnly =
      try fields.ifPresent("photosAddOnly", FieldReader.choice) ?? Self.adding(whereReadingIs: photos)
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "camera": .string(camera.rawValue),
      "microphone": .string(microphone.rawValue),
      "photos": .string(photos.rawValue),
      "photosAddOnly": .string(photosAddOnly.rawValue),
    ]
  }
}

/// The times that the host allows, in seconds.
package struct Deadlines: WireValue {
  /// From the launch until `session/start` is answered.
  package var launch: Double
  /// From `session/willDismiss` until the extension is killed.
  package var dismissal: Double
  /// From the launch until the watchdog's conditions hold; nil: the watchdog is not armed.
  package var watchdog: Double?

  /// Makes deadlines.
  package init(launch: Double, dismissal: Double, watchdog: Double? = nil) {
    self.launch = launch
    self.dismissal = dismissal
    self.watchdog = watchdog
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    launch = try fields.seconds("launch")
    dismissal = try fields.seconds("dismissal")
    watchdog = try fields.ifPresent("watchdog", FieldReader.seconds)
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "launch": .seconds(launch), "dismissal": .seconds(dismissal),
      "watchdog": watchdog.map(JSONValue.seconds) ?? .null,
    ]
  }
}

/// What an extension is told before its session ends.
package struct DismissalNotice: WireValue {
  /// Why.
  package var reason: DismissalReason
  /// How many seconds are left to finish.
  package var grace: Double

  /// Makes a notice.
  package init(reason: DismissalReason, grace: Double) {
    self.reason = reason
    self.grace = grace
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    reason = try fields.choice("reason")
    grace = try fields.seconds("grace")
  }

  /// Writes it.
  package var json: JSONValue { ["reason": .string(reason.rawValue), "grace": .seconds(grace)] }
}

/// Why a session ends.
package enum DismissalReason: String, CaseIterable, Sendable {
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
}

/// How much an extension wants in its log.
package enum LogLevel: String, CaseIterable, Sendable {
  /// For who develops the extension.
  case debug
  /// What happens in any session.
  case info
  /// What the person might want to know.
  case notice
  /// What went wrong.
  case error
}

extension JSONValue {
  /// A number of seconds, without a fraction if it has none.
  static func seconds(_ value: Double) -> JSONValue {
    // Not Int64(exactly:), which calls rounding functions of libm: a module without system imports does not link it.
    guard value >= 0, value < 1e15 else { return .number(value) }
    return Double(Int64(value)) == value ? .integer(Int64(value)) : .number(value)
  }
}
