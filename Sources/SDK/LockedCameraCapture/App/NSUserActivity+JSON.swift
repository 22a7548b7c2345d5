// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import JSONText

extension NSUserActivity {
  /// Encodes the activity as a `UserActivity` of the protocol.
  ///
  /// - Returns: The JSON.
  /// - Throws: ``UserActivityError`` if a value is not allowed in a property list, or if the activity exceeds
  ///   ``maximumSize``.
  package func json() throws(UserActivityError) -> JSONValue {
    let value = JSONValue.object([
      "activityType": .string(activityType),
      "title": title.map(JSONValue.string),
      "userInfo": try PropertyListText.json(userInfo ?? [:], at: "userInfo"),
      "targetContentIdentifier": targetContentIdentifier.map(JSONValue.string),
      "webpageURL": webpageURL.map { .string($0.absoluteString) },
      "requiredUserInfoKeys": .array((requiredUserInfoKeys ?? []).sorted().map(JSONValue.string)),
    ])
    let size = value.bytes().count
    guard size <= Self.maximumSize else { throw .tooLarge(bytes: size, limit: Self.maximumSize) }
    return value
  }

  /// Creates an activity from the JSON that ``json()`` returns.
  package convenience init(json: JSONValue) throws(UserActivityError) {
    guard let type = json["activityType"]?.string else {
      throw .malformed(path: "activityType", expected: "a string")
    }
    self.init(activityType: type)
    title = try Self.text(json, "title")
    if let info = json["userInfo"], !info.isNull {
      userInfo = try PropertyListText.dictionary(info, at: "userInfo")
    }
    targetContentIdentifier = try Self.text(json, "targetContentIdentifier")
    if let text = try Self.text(json, "webpageURL") {
      guard let url = URL(string: text) else { throw .malformed(path: "webpageURL", expected: "a URL") }
      webpageURL = url
    }
    if let keys = json["requiredUserInfoKeys"], !keys.isNull {
      guard let texts = keys.elements?.map(\.string), !texts.contains(nil) else {
        throw .malformed(path: "requiredUserInfoKeys", expected: "an array of strings")
      }
      requiredUserInfoKeys = Set(texts.compactMap(\.self))
    }
  }

  /// Returns the string of a member, or `nil` if the member is null or missing.
  private static func text(_ json: JSONValue, _ name: String) throws(UserActivityError) -> String? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let text = value.string else { throw .malformed(path: name, expected: "a string") }
    return text
  }
}
