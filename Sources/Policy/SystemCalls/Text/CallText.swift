// SPDX-License-Identifier: Apache-2.0

/// System calls as a person writes them: `socket(AF_VSOCK, SOCK_STREAM|SOCK_CLOEXEC, 0)`.
///
/// What is printed can be read again, and means the same.
package enum CallText {
  /// What stands for an argument that can be anything.
  package static let anything = "_"

  /// A call with its arguments, as many as it has parameters; more where they are not zero.
  package static func render(
    _ call: String,
    _ arguments: [UInt64],
    on architecture: CallArchitecture = .native
  ) -> String {
    render(call, arguments.map(Optional.some), on: architecture)
  }

  /// A call of whose arguments some can be anything (nil).
  package static func render(
    _ call: String,
    _ arguments: [UInt64?],
    on architecture: CallArchitecture = .native
  ) -> String {
    let signature = CallSignature.of(call, on: architecture, arguments: arguments)
    let told = (arguments.lastIndex { $0 != nil && $0 != 0 } ?? -1) + 1
    let count = min(arguments.count, max(told, signature?.parameters.count ?? 0))
    let texts = (0..<count).map { index in
      guard let value = arguments[index] else { return anything }
      return ArgumentText.text(value, kind(signature, index), on: architecture)
    }
    return "\(call)(\(texts.joined(separator: ", ")))"
  }

  /// One argument; those before it can make its meaning more exact.
  package static func renderArgument(
    _ call: String,
    _ index: Int,
    _ value: UInt64,
    among arguments: [UInt64?] = [],
    on architecture: CallArchitecture = .native
  ) -> String {
    let signature = CallSignature.of(call, on: architecture, arguments: arguments)
    return ArgumentText.text(value, kind(signature, index), on: architecture)
  }

  /// Reads a call: a name or a number, with or without arguments in parentheses, `_` for one that can be anything.
  ///
  /// An architecture's name may stand in front, as in what commands print; it counts instead of the other one.
  package static func parse(
    _ text: String,
    on architecture: CallArchitecture
  ) throws(CallTextError) -> ParsedCall {
    var parser = CallTextParser(text, architecture)
    return try parser.call()
  }

  private static func kind(_ signature: CallSignature?, _ index: Int) -> CallParameter.Kind? {
    guard let signature, index < signature.parameters.count else { return nil }
    return signature.parameters[index].kind
  }
}

/// A call that somebody wrote.
package struct ParsedCall: Sendable, Hashable {
  /// The architecture whose call it is.
  package var architecture: CallArchitecture
  /// Its name; nil if the number means nothing there.
  package var name: String?
  /// Its number, for x32 with the bit.
  package var number: UInt32
  /// The arguments that were stated, in order; nil where one can be anything. Those that are missing can be, too.
  package var arguments: [UInt64?]
}
