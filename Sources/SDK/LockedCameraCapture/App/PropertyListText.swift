// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import JSONText

/// The JSON encoding of property list values.
///
/// A value without a counterpart in JSON is an object with one key that starts with `$`.
enum PropertyListText {
  /// The key of an object that contains bytes, in Base64.
  private static var dataKey: String { "$data" }
  /// The key of an object that contains a date, in seconds since 1970.
  private static var dateKey: String { "$date" }
  /// The key of an object that contains a URL.
  private static var urlKey: String { "$url" }

  /// Encodes a dictionary; its keys are sorted, so that equal dictionaries have equal texts.
  static func json(
    _ dictionary: [AnyHashable: Any],
    at path: String,
    depth: Int = 1
  ) throws(UserActivityError) -> JSONValue {
    guard depth <= NSUserActivity.maximumDepth else {
      throw .tooDeep(path: path, limit: NSUserActivity.maximumDepth)
    }
    var members: [JSONValue.Member] = []
    for (key, value) in dictionary {
      guard let name = key.base as? String, !name.hasPrefix("$") else {
        throw .unsupportedKey(path: path, key: "\(key.base)")
      }
      members.append(JSONValue.Member(name, try json(value, at: "\(path).\(name)", depth: depth)))
    }
    return .object(members.sorted { $0.name < $1.name })
  }

  /// Encodes a value.
  private static func json(
    _ value: Any,
    at path: String,
    depth: Int
  ) throws(UserActivityError) -> JSONValue {
    switch FoundationNumber.value(value) {
    case let value as Bool: return .bool(value)
    case let value as any BinaryInteger:
      guard let number = Int64(exactly: value) else { throw .unsupportedNumber(path: path) }
      return .integer(number)
    case let value as any BinaryFloatingPoint:
      let number = Double(value)
      guard number.isFinite else { throw .unsupportedNumber(path: path) }
      return .number(number)
    case let value as String: return .string(value)
    case let value as Data: return [dataKey: .string(value.base64EncodedString())]
    case let value as Date:
      guard value.timeIntervalSince1970.isFinite else { throw .unsupportedNumber(path: path) }
      return [dateKey: .number(value.timeIntervalSince1970)]
    case let value as URL: return [urlKey: .string(value.absoluteString)]
    case let value as [AnyHashable: Any]: return try json(value, at: path, depth: depth + 1)
    case let value as [Any]:
      guard depth < NSUserActivity.maximumDepth else {
        throw .tooDeep(path: path, limit: NSUserActivity.maximumDepth)
      }
      var elements: [JSONValue] = []
      for (index, element) in value.enumerated() {
        elements.append(try json(element, at: "\(path)[\(index)]", depth: depth + 1))
      }
      return .array(elements)
    default: throw .unsupportedValue(path: path, type: "\(type(of: value))")
    }
  }

  /// Decodes a dictionary.
  static func dictionary(
    _ value: JSONValue,
    at path: String
  ) throws(UserActivityError) -> [AnyHashable: Any] {
    guard let members = value.members else { throw .malformed(path: path, expected: "an object") }
    var dictionary: [AnyHashable: Any] = [:]
    for member in members {
      dictionary[member.name] = try self.value(member.value, at: "\(path).\(member.name)")
    }
    return dictionary
  }

  /// Decodes a value.
  private static func value(_ value: JSONValue, at path: String) throws(UserActivityError) -> Any {
    switch value {
    case .null: throw .malformed(path: path, expected: "a value of a property list")
    case .bool(let value): return value
    case .integer(let value): return Int(value)
    case .number(let value): return value
    case .string(let value): return value
    case .array(let elements):
      var values: [Any] = []
      for (index, element) in elements.enumerated() {
        values.append(try self.value(element, at: "\(path)[\(index)]"))
      }
      return values
    case .object(let members):
      if members.count == 1, let only = members.first, only.name.hasPrefix("$") {
        return try marked(only, at: path)
      }
      return try dictionary(value, at: path)
    }
  }

  /// Decodes a value without a counterpart in JSON.
  private static func marked(
    _ member: JSONValue.Member,
    at path: String
  ) throws(UserActivityError) -> Any {
    switch member.name {
    case dataKey:
      guard let data = member.value.string.flatMap({ Data(base64Encoded: $0) }) else {
        throw .malformed(path: path, expected: "a base64 string")
      }
      return data
    case dateKey:
      guard let seconds = member.value.double else {
        throw .malformed(path: path, expected: "a number of seconds")
      }
      return Date(timeIntervalSince1970: seconds)
    case urlKey:
      guard let url = member.value.string.flatMap({ URL(string: $0) }) else {
        throw .malformed(path: path, expected: "a URL")
      }
      return url
    default: throw .malformed(path: path, expected: "$data, $date or $url")
    }
  }
}
