// SPDX-License-Identifier: Apache-2.0

/// A named value of a system call's argument.
package struct Constant: Sendable, Hashable {
  /// The kernel's name.
  package let name: String
  /// The value on all architectures except ``exceptions``, or `nil` if only those define the constant.
  private let common: UInt64?
  /// The architectures with a different value, or with `nil` if the value is unknown or does not exist.
  private let exceptions: [CallArchitecture: UInt64?]

  /// Returns the value on an architecture, or `nil` if it does not exist or is unknown.
  package func value(on architecture: CallArchitecture) -> UInt64? {
    guard !exceptions.isEmpty, let exception = exceptions[architecture] else { return common }
    return exception
  }

  /// Creates a constant from the fields of a line: name, families, value, and `ARCHITECTURE=VALUE` for each
  /// exception.
  init(_ words: [ArraySlice<UInt8>]) {
    name = TextLines.text(words[0])
    common = TextLines.hexadecimal(words[2])
    exceptions = Self.exceptions(words.dropFirst(3))
  }

  /// The sort key for the constants of a family.
  var sortValue: UInt64 { common ?? exceptions.values.compactMap(\.self).min() ?? 0 }

  /// Returns the values of fields of the form `ARCHITECTURE=VALUE`, with `-` for no value.
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
