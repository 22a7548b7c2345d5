// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What an extension hands to the app that it opens.
package struct UserActivity: WireValue, Hashable {
  /// What kind of activity it is; by convention in reverse-DNS form.
  package var activityType: String
  /// What people call it.
  package var title: String?
  /// What the app needs to go on.
  package var userInfo: [String: PropertyListValue]
  /// The content that the activity is about, as the app names it.
  package var targetContentIdentifier: String?
  /// Where the activity can go on in a browser.
  package var webpageURL: String?
  /// The names in ``userInfo`` without which the app cannot go on.
  package var requiredUserInfoKeys: [String]

  /// Describes an activity.
  package init(
    activityType: String,
    title: String? = nil,
    userInfo: [String: PropertyListValue] = [:],
    targetContentIdentifier: String? = nil,
    webpageURL: String? = nil,
    requiredUserInfoKeys: [String] = []
  ) {
    self.activityType = activityType
    self.title = title
    self.userInfo = userInfo
    self.targetContentIdentifier = targetContentIdentifier
    self.webpageURL = webpageURL
    self.requiredUserInfoKeys = requiredUserInfoKeys
  }

  /// Reads it. How large it is, is not looked at (``requireSize()``).
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    activityType = try fields.read("activityType", "a string that is not empty") { value in
      value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    title = try fields.ifPresent("title", FieldReader.string)
    userInfo =
      try fields.ifPresent("userInfo") { fields, name throws(ProtocolViolation) in
        let members = try fields.read(name, "an object", \.members)
        do throws(PropertyListValue.Fault) { return try PropertyListValue.dictionary(members) } catch {
          throw fields.wrong(name + error.path, expected: error.expected, found: error.found)
        }
      } ?? [:]
    targetContentIdentifier = try fields.ifPresent("targetContentIdentifier", FieldReader.string)
    webpageURL = try fields.ifPresent("webpageURL", FieldReader.string)
    requiredUserInfoKeys = try fields.ifPresent("requiredUserInfoKeys", FieldReader.strings) ?? []
  }

  /// Reads it from a document; `name` is what a mistake calls the document.
  package init(json: JSONValue, name: String = "activity") throws(ProtocolViolation) {
    try self.init(from: try FieldReader(document: json, name: name))
  }

  /// Writes it.
  package var json: JSONValue {
    .object([
      "activityType": .string(activityType), "title": title.map(JSONValue.string),
      "userInfo": PropertyListValue.json(userInfo),
      "targetContentIdentifier": targetContentIdentifier.map(JSONValue.string),
      "webpageURL": webpageURL.map(JSONValue.string),
      "requiredUserInfoKeys": .array(requiredUserInfoKeys.map(JSONValue.string)),
    ])
  }

  /// Throws unless the activity is small enough to be handed over.
  package func requireSize() throws(UserActivityError) {
    let bytes = json.bytes().count
    guard bytes <= ProtocolLimits.activityBytes else { throw .tooLarge(bytes: bytes) }
  }
}

/// Why an activity cannot be handed over.
package enum UserActivityError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It has more bytes than ``ProtocolLimits/activityBytes``.
  case tooLarge(bytes: Int)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .tooLarge(let bytes):
      "the user activity has \(bytes) bytes and may have \(ProtocolLimits.activityBytes); put what is large into a "
        + "file in the session directory and name the file"
    }
  }

  /// The answer to the request that brought it.
  package var errorObject: ErrorObject {
    switch self {
    case .tooLarge(let bytes):
      ErrorObject(
        code: ProtocolErrorCode.invalidParams.rawValue,
        message: description,
        data: .object([
          "bytes": .integer(Int64(bytes)), "limit": .integer(Int64(ProtocolLimits.activityBytes)),
        ])
      )
    }
  }
}
