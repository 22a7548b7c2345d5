// SPDX-License-Identifier: Apache-2.0

/// Why an activity cannot be sent, or what was received is none.
public enum UserActivityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has more bytes as compact JSON than may be sent: ``NSUserActivity/maximumSize``.
  case tooLarge(bytes: Int, limit: Int)
  /// A value is of a type that no property list has; `path` leads to it, as in `userInfo.filter[2]`.
  case unsupportedValue(path: String, type: String)
  /// A number is infinite, not a number, or has more than 64 bits with sign.
  case unsupportedNumber(path: String)
  /// A key is no string, or begins with a `$`, which marks data, dates and URLs on the way.
  case unsupportedKey(path: String, key: String)
  /// Arrays and dictionaries are nested deeper than ``NSUserActivity/maximumDepth``.
  case tooDeep(path: String, limit: Int)
  /// What was received is no activity.
  case malformed(path: String, expected: String)

  /// A sentence that says where, why, and what to do.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "the activity has \(bytes) bytes as JSON and may have \(limit); put large things into the session content"
    case .unsupportedValue(let path, let type):
      "\(path) is of the type \(type), which no property list has; send numbers, strings, Data, Date or URL"
    case .unsupportedNumber(let path):
      "\(path) is no finite number of at most 64 bits; send it as a string"
    case .unsupportedKey(let path, let key):
      "\(path) has the key \"\(key)\"; use strings that do not begin with \"$\""
    case .tooDeep(let path, let limit):
      "\(path) is nested more than \(limit) deep; send a flatter structure"
    case .malformed(let path, let expected):
      "\(path) of the activity received is not \(expected); its sender has to be mended"
    }
  }
}

extension NSUserActivity {
  /// The largest activity that can be sent, in bytes of compact JSON: 32 KiB.
  public static var maximumSize: Int { 32 * 1024 }

  /// How deep arrays and dictionaries in ``userInfo`` may be nested.
  public static var maximumDepth: Int { 16 }
}
