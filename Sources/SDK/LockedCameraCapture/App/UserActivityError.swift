// SPDX-License-Identifier: Apache-2.0

/// The reason why an activity cannot be sent, or why a received one is invalid.
public enum UserActivityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The activity exceeds ``NSUserActivity/maximumSize`` bytes of compact JSON.
  case tooLarge(bytes: Int, limit: Int)
  /// A value has a type that property lists do not support; `path` is its location, such as
  /// `userInfo.filter[2]`.
  case unsupportedValue(path: String, type: String)
  /// A number is infinite, not a number, or not representable as a signed 64-bit integer.
  case unsupportedNumber(path: String)
  /// A key is not a string, or starts with `$`, which marks data, dates and URLs in the encoding.
  case unsupportedKey(path: String, key: String)
  /// Arrays and dictionaries are nested deeper than ``NSUserActivity/maximumDepth``.
  case tooDeep(path: String, limit: Int)
  /// A received activity is invalid.
  case malformed(path: String, expected: String)

  /// The error message: the location, the reason, and the fix.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "the activity has \(bytes) bytes of JSON, more than the limit of \(limit); put large data into the session content"
    case .unsupportedValue(let path, let type):
      "\(path) has the type \(type), which property lists do not support; use numbers, strings, Data, Date or URL"
    case .unsupportedNumber(let path):
      "\(path) is not a finite number of at most 64 bits; send it as a string"
    case .unsupportedKey(let path, let key):
      "\(path) has the invalid key \"\(key)\"; use strings that do not begin with \"$\""
    case .tooDeep(let path, let limit):
      "\(path) is nested more than \(limit) levels deep; send a flatter structure"
    case .malformed(let path, let expected):
      "\(path) of the received activity is not \(expected); correct the program that sent the activity"
    }
  }
}

extension NSUserActivity {
  /// The maximum size of an activity: 32 KiB of compact JSON.
  public static var maximumSize: Int { 32 * 1024 }

  /// The maximum nesting depth of arrays and dictionaries in ``userInfo``.
  public static var maximumDepth: Int { 16 }
}
