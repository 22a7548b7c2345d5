// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An app context at one point in time.
public struct AppContextState<Context: Sendable>: Sendable {
  /// The context, or `nil` if there is none.
  public let context: Context?
  /// The revision of the context.
  public let revision: AppContextRevision
}

/// The revision of an app context. Two revisions are equal exactly if the stored contexts are equal bit for
/// bit.
public struct AppContextRevision: Hashable, Sendable {
  /// The stored text, which is small; null if there is no context.
  private let bytes: [UInt8]

  /// Creates the revision of a stored context.
  package init(_ value: JSONValue) { bytes = value.bytes() }
}

/// The limits for app contexts.
enum AppContextLimits {
  /// The maximum size, in bytes of compact JSON.
  static var bytes: Int { 4096 }
  /// The maximum nesting depth of arrays and objects; the message adds two levels.
  static var depth: Int { 30 }
}
