// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A reason for which an app is opened.
package enum AppDeliveryReason: String, CaseIterable, Sendable {
  /// The capture extension requested it.
  case captureExtension
  /// The user used a control at a place where the app runs instead of the extension.
  case control
  /// The user used a control, and the app has to request a permission first.
  case permission
}

/// A delivery to an app that is opened: one file of the app's mailbox.
package struct AppDelivery: WireValue, Hashable {
  /// The supported version of the format.
  package static let version = 1

  /// The UUID of the delivery in lower case, by which an app recognizes a repeated delivery.
  package var id: String
  /// The reason for which the app is opened.
  package var reason: AppDeliveryReason
  /// The activity that the extension passes to the app, or `nil` if there is none.
  package var activity: UserActivity?
  /// The ID of the control that the user used, or `nil` if there is none.
  package var control: String?
  /// The UUID of the preceding session, or `nil` if there is none. Its content has already been migrated.
  package var session: String?
  /// The app context at the time of the delivery; null if there was none.
  package var appContext: JSONValue
  /// The time of the delivery, in milliseconds since 1970.
  package var createdAt: Int64

  /// Creates a delivery.
  package init(
    id: String,
    reason: AppDeliveryReason,
    activity: UserActivity? = nil,
    control: String? = nil,
    session: String? = nil,
    appContext: JSONValue = .null,
    createdAt: Int64
  ) {
    self.id = id
    self.reason = reason
    self.activity = activity
    self.control = control
    self.session = session
    self.appContext = appContext
    self.createdAt = createdAt
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    _ = try fields.integer("version", in: Self.version...Self.version)
    id = try fields.read("id", "a lower-case UUID") { value in
      value.string.flatMap { Self.isIdentifier($0) ? $0 : nil }
    }
    reason = try fields.choice("reason")
    activity = try fields.ifPresent("activity") { fields, name throws(ProtocolViolation) in
      try UserActivity(from: try fields.object(name))
    }
    control = try fields.ifPresent("control", FieldReader.string)
    session = try fields.ifPresent("session", FieldReader.string)
    appContext =
      try fields.ifPresent("appContext") { fields, name throws(ProtocolViolation) in
        try fields.value(name)
      } ?? .null
    createdAt = Int64(try fields.integer("createdAt", in: 0...999_999_999_999_999))
  }

  /// Creates a delivery from the JSON of its file. `name` is the file's name in errors.
  package init(json: JSONValue, name: String = "delivery") throws(ProtocolViolation) {
    try self.init(from: try FieldReader(document: json, name: name))
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "version": .integer(Int64(Self.version)), "id": .string(id), "reason": .string(reason.rawValue),
      "activity": activity?.json ?? .null, "control": control.map(JSONValue.string) ?? .null,
      "session": session.map(JSONValue.string) ?? .null, "appContext": appContext,
      "createdAt": .integer(createdAt),
    ]
  }

  /// The name of the delivery's file in the mailbox. Alphabetical order is chronological.
  package var fileName: String {
    let digits = String(createdAt)
    return String(repeating: "0", count: max(0, 15 - digits.count)) + digits + "-\(id).json"
  }

  /// Whether a text is a UUID in the format of deliveries. The UUID becomes part of a file name.
  package static func isIdentifier(_ text: String) -> Bool {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return false }
    return characters.enumerated().allSatisfy { index, character in
      [8, 13, 18, 23].contains(index)
        ? character == UInt8(ascii: "-") : "0123456789abcdef".utf8.contains(character)
    }
  }
}
