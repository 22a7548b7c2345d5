// SPDX-License-Identifier: Apache-2.0

/// A name that a system call's argument can have, and its value.
package struct Constant: Sendable, Hashable {
  /// The kernel's name.
  package let name: String
  /// The value where ``exceptions`` do not say another one; nil: only those have it.
  private let common: UInt64?
  /// The architectures with another value, or (nil) with none that is known.
  private let exceptions: [CallArchitecture: UInt64?]

  /// The value on an architecture; nil if there is none, or none that is known.
  package func value(on architecture: CallArchitecture) -> UInt64? {
    guard !exceptions.isEmpty, let exception = exceptions[architecture] else { return common }
    return exception
  }

  /// Reads the words of a line: the name, its families, the value, and `ARCHITECTURE=VALUE` for each exception.
  init(_ words: [ArraySlice<UInt8>]) {
    name = TextLines.text(words[0])
    common = TextLines.hexadecimal(words[2])
    exceptions = Self.exceptions(words.dropFirst(3))
  }

  /// The value by which constants of a family are ordered.
  var rank: UInt64 { common ?? exceptions.values.compactMap(\.self).min() ?? 0 }

  /// Reads words of the form `ARCHITECTURE=VALUE`, with `-` for no value.
  static func exceptions(_ words: ArraySlice<ArraySlice<UInt8>>) -> [CallArchitecture: UInt64?] {
    var exceptions: [CallArchitecture: UInt64?] = [:]
    for word in words {
      guard let (title, value) = TextLines.halves(word, at: UInt8(ascii: "=")),
        let architecture = CallArchitecture(rawValue: TextLines.text(title))
      else { preconditionFailure("an exception names an architecture") }
      exceptions[architecture] = .some(TextLines.hexadecimal(value))
    }
    return exceptions
  }
}
