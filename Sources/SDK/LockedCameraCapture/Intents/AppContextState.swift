// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An app context at one moment.
public struct AppContextState<Context: Sendable>: Sendable {
  /// The context; nil for none.
  public let context: Context?
  /// Which one it is.
  public let revision: AppContextRevision
}

/// Which app context it is: two are equal exactly if the contexts are, bit for bit.
public struct AppContextRevision: Hashable, Sendable {
  /// The stored text, which is small; null for no context.
  private let bytes: [UInt8]

  /// The revision of what is stored.
  package init(_ value: JSONValue) { bytes = value.bytes() }
}

/// How large app contexts can be.
enum AppContextLimits {
  /// Bytes of compact JSON.
  static var bytes: Int { 4096 }
  /// Levels of arrays and objects; two more are those of the message.
  static var depth: Int { 30 }
}
