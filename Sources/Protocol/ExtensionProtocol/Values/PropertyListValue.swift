// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A value of a property list, for passing data to an app.
///
/// In JSON, data, dates and URLs are objects with one member: `{"$data": base64}`, `{"$date": seconds since
/// 1970}`, `{"$url": string}`. Names that begin with a dollar sign are therefore not allowed in dictionaries.
package enum PropertyListValue: Hashable, Sendable {
  /// A Boolean.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// A finite number.
  case number(Double)
  /// A string.
  case string(String)
  /// Data.
  case data([UInt8])
  /// A date, in seconds since 1970; finite.
  case date(Double)
  /// A URL, as written.
  case url(String)
  /// An array.
  case array([PropertyListValue])
  /// A dictionary.
  case dictionary([String: PropertyListValue])

  /// The value as JSON. Names are sorted, so that equal values have equal bytes.
  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .data(let bytes): .object(["$data": .string(Base64.text(bytes))])
    case .date(let seconds): .object(["$date": .number(seconds)])
    case .url(let text): .object(["$url": .string(text)])
    case .array(let values): .array(values.map(\.json))
    case .dictionary(let values): Self.json(values)
    }
  }

  /// Returns a dictionary as JSON.
  static func json(_ values: [String: PropertyListValue]) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) })
  }
}

extension PropertyListValue {
  /// The error that a JSON value is not a value of a property list.
  struct Failure: Error {
    /// The path of the invalid value below the value that was read, in the form of `.name` and `[index]`.
    var path: String
    /// The expected value.
    var expected: String
    /// The actual value.
    var found: String
  }

  /// Creates a value from JSON.
  init(_ value: JSONValue, path: String = "") throws(Failure) {
    switch value {
    case .null:
      throw Failure(path: path, expected: "a value of a property list, but not null", found: "null")
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let elements):
      var values: [PropertyListValue] = []
      for (index, element) in elements.enumerated() {
        values.append(try PropertyListValue(element, path: "\(path)[\(index)]"))
      }
      self = .array(values)
    case .object(let members):
      if let value = try Self.tagged(members, path) {
        self = value
      } else {
        self = .dictionary(try Self.dictionary(members, path))
      }
    }
  }

  /// Returns the members of an object as a dictionary.
  static func dictionary(
    _ members: [JSONValue.Member],
    _ path: String = ""
  ) throws(Failure) -> [String: PropertyListValue] {
    var values: [String: PropertyListValue] = [:]
    for member in members {
      guard !member.name.hasPrefix("$") else {
        let expected =
          "a name that does not begin with a dollar sign, or a single member $data, $date or $url"
        throw Failure(path: path, expected: expected, found: "an object with \"\(member.name)\"")
      }
      values[member.name] = try PropertyListValue(member.value, path: "\(path).\(member.name)")
    }
    return values
  }

  /// Returns the value of a tagged object (`$data`, `$date`, `$url`), or `nil` if the object is a dictionary.
  private static func tagged(
    _ members: [JSONValue.Member],
    _ path: String
  ) throws(Failure) -> PropertyListValue? {
    guard members.count == 1, let member = members.first else { return nil }
    func required<Value>(_ value: Value?, _ expected: String) throws(Failure) -> Value {
      guard let value else {
        throw Failure(path: "\(path).\(member.name)", expected: expected, found: member.value.kindText)
      }
      return value
    }
    switch member.name {
    case "$data":
      return .data(try required(member.value.string.flatMap(Base64.bytes), "a base64 string (RFC 4648)"))
    case "$date": return .date(try required(member.value.double, "a number of seconds since 1970"))
    case "$url": return .url(try required(member.value.string, "a string"))
    default: return nil
    }
  }
}

/// The Base64 encoding (RFC 4648, section 4).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the encoding of bytes, with padding.
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = 0
      for index in 0..<3 { group = group << 8 | (index < count ? Int(bytes[start + index]) : 0) }
      for index in 0..<4 {
        text.append(index <= count ? alphabet[group >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the decoded bytes, or `nil` unless the text is exactly the encoding that ``text(_:)`` returns
  /// for them.
  static func bytes(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: characters.count, by: 4) {
      var group = 0
      var padding = 0
      for character in characters[start..<start + 4] {
        if character == UInt8(ascii: "=") {
          padding += 1
          group <<= 6
        } else {
          guard padding == 0, let digit = alphabet.firstIndex(of: character) else { return nil }
          group = group << 6 | digit
        }
      }
      guard padding <= 2 else { return nil }
      bytes += [UInt8(group >> 16), UInt8(group >> 8 & 255), UInt8(group & 255)].dropLast(padding)
    }
    // Each value has only one encoding: no padding in the middle, no bits after the last byte.
    return self.text(bytes) == text ? bytes : nil
  }
}
