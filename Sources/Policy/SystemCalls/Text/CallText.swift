// SPDX-License-Identifier: Apache-2.0

/// The textual form of system calls, for example `socket(AF_VSOCK, SOCK_STREAM|SOCK_CLOEXEC, 0)`.
///
/// Rendered text can be parsed again and has the same meaning.
package enum CallText {
  /// The placeholder for an argument that can have any value.
  package static let wildcard = "_"

  /// Returns a call with as many arguments as it has parameters, or more if they are not zero.
  package static func render(
    _ call: String,
    _ arguments: [UInt64],
    on architecture: CallArchitecture = .native
  ) -> String {
    render(call, arguments.map(Optional.some), on: architecture)
  }

  /// Returns a call in which arguments that are `nil` can have any value.
  package static func render(
    _ call: String,
    _ arguments: [UInt64?],
    on architecture: CallArchitecture = .native
  ) -> String {
    let signature = CallSignature.of(call, on: architecture, arguments: arguments)
    let statedCount = (arguments.lastIndex { $0 != nil && $0 != 0 } ?? -1) + 1
    let count = min(arguments.count, max(statedCount, signature?.parameters.count ?? 0))
    let texts = (0..<count).map { index in
      guard let value = arguments[index] else { return wildcard }
      return ArgumentText.text(value, kind(signature, index), on: architecture)
    }
    return "\(call)(\(texts.joined(separator: ", ")))"
  }

  /// Returns the text of one argument. The other arguments can make its meaning more exact.
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

  /// Parses a call: a name or a number, optionally with arguments in parentheses, and `_` for any value.
  ///
  /// An architecture's name may precede the call, as in the output of commands; it replaces `architecture`.
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

/// A parsed call.
package struct ParsedCall: Sendable, Hashable {
  /// The architecture of the call.
  package var architecture: CallArchitecture
  /// The call's name, or `nil` if the number is unassigned.
  package var name: String?
  /// The call's number; for x32, with ``CallArchitecture/x32Bit``.
  package var number: UInt32
  /// The stated arguments, in order, with `nil` for any value. Missing arguments can have any value, too.
  package var arguments: [UInt64?]
}
