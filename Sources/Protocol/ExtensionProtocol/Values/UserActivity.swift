// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An activity that an extension passes to the app that it opens.
package struct UserActivity: WireValue, Hashable {
  /// The activity's type, by convention in reverse-DNS notation.
  package var activityType: String
  /// The title for the user.
  package var title: String?
  /// The data that the app needs to continue.
  package var userInfo: [String: PropertyListValue]
  /// The app's identifier of the content that the activity is about.
  package var targetContentIdentifier: String?
  /// The URL at which a browser can continue the activity.
  package var webpageURL: String?
  /// The keys of ``userInfo`` that the app requires.
  package var requiredUserInfoKeys: [String]

  /// Creates an activity.
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

  /// Creates an activity from its fields in a message. The size is not checked; call ``requireSize()``.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    activityType = try fields.read("activityType", "a nonempty string") { value in
      value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    title = try fields.ifPresent("title", FieldReader.string)
    userInfo =
      try fields.ifPresent("userInfo") { fields, name throws(ProtocolViolation) in
        let members = try fields.read(name, "an object", \.members)
        do throws(PropertyListValue.Failure) { return try PropertyListValue.dictionary(members) } catch {
          throw fields.wrong(name + error.path, expected: error.expected, found: error.found)
        }
      } ?? [:]
    targetContentIdentifier = try fields.ifPresent("targetContentIdentifier", FieldReader.string)
    webpageURL = try fields.ifPresent("webpageURL", FieldReader.string)
    requiredUserInfoKeys = try fields.ifPresent("requiredUserInfoKeys", FieldReader.strings) ?? []
  }

  /// Creates an activity from a JSON document. `name` is the document's name in errors.
  package init(json: JSONValue, name: String = "activity") throws(ProtocolViolation) {
    try self.init(from: try FieldReader(document: json, name: name))
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "activityType": .string(activityType), "title": title.map(JSONValue.string),
      "userInfo": PropertyListValue.json(userInfo),
      "targetContentIdentifier": targetContentIdentifier.map(JSONValue.string),
      "webpageURL": webpageURL.map(JSONValue.string),
      "requiredUserInfoKeys": .array(requiredUserInfoKeys.map(JSONValue.string)),
    ])
  }

  /// Throws an error unless the activity is small enough for the app.
  package func requireSize() throws(UserActivityError) {
    let bytes = json.bytes().count
    guard bytes <= ProtocolLimits.activityBytes else { throw .tooLarge(bytes: bytes) }
  }
}

/// A reason for which an activity cannot be passed to an app.
package enum UserActivityError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The activity is larger than ``ProtocolLimits/activityBytes``.
  case tooLarge(bytes: Int)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .tooLarge(let bytes):
      "the user activity has \(bytes) bytes of JSON, more than the limit of \(ProtocolLimits.activityBytes); put large "
        + "data into a file in the session directory, and name the file in the activity"
    }
  }

  /// The error of the reply to the request.
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
