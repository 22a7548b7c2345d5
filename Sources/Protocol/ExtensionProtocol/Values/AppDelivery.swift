// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Why an app is opened.
package enum AppDeliveryReason: String, CaseIterable, Sendable {
  /// Its capture extension has asked for it.
  case captureExtension
  /// A control was used where the app runs instead of the extension.
  case control
  /// A control was used, and the app has to ask for a permission first.
  case permission
}

/// What an app is told when it is opened: one file of its mailbox.
package struct AppDelivery: WireValue, Hashable {
  /// The version of the format that this code writes and reads.
  package static let version = 1

  /// The delivery's own UUID, in lower case: who has seen it need not see it again.
  package var id: String
  /// Why the app is opened.
  package var reason: AppDeliveryReason
  /// What the extension hands over; nil if there was none.
  package var activity: UserActivity?
  /// The id of the control that was used; nil for none.
  package var control: String?
  /// The UUID of the session that came before, whose content is there by now; nil for none.
  package var session: String?
  /// The app context as it was; null for none.
  package var appContext: JSONValue
  /// When it was made, in milliseconds since 1970.
  package var createdAt: Int64

  /// Describes a delivery.
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

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    _ = try fields.integer("version", in: Self.version...Self.version)
    id = try fields.read("id", "a UUID in lower case") { value in
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

  /// Reads it from its file; `name` is what a mistake calls the file.
  package init(json: JSONValue, name: String = "delivery") throws(ProtocolViolation) {
    try self.init(from: try FieldReader(document: json, name: name))
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "version": .integer(Int64(Self.version)), "id": .string(id), "reason": .string(reason.rawValue),
      "activity": activity?.json ?? .null, "control": control.map(JSONValue.string) ?? .null,
      "session": session.map(JSONValue.string) ?? .null, "appContext": appContext,
      "createdAt": .integer(createdAt),
    ]
  }

  /// The name of its file in the mailbox: the oldest is the first in alphabetical order.
  package var fileName: String {
    let digits = String(createdAt)
    return String(repeating: "0", count: max(0, 15 - digits.count)) + digits + "-\(id).json"
  }

  /// Whether a text is a UUID as a delivery has them; it becomes part of a file's name.
  package static func isIdentifier(_ text: String) -> Bool {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return false }
    return characters.enumerated().allSatisfy { index, character in
      [8, 13, 18, 23].contains(index)
        ? character == UInt8(ascii: "-") : "0123456789abcdef".utf8.contains(character)
    }
  }
}
