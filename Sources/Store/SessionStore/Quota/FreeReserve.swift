// SPDX-License-Identifier: Apache-2.0

/// The space on a file system that sessions leave free, and the source of that requirement.
///
/// The largest of several requirements applies, so that none can weaken another.
package struct FreeReserve: Sendable, Hashable {
  /// The source of a requirement.
  package enum Source: String, Sendable {
    /// The default.
    case standard
    /// The user's setting for the state root.
    case root
    /// The user's setting for the app.
    case app
    /// The policy of the session.
    case policy
  }

  /// The reserve in bytes.
  package private(set) var bytes: Int64
  /// The source of the requirement.
  package private(set) var source: Source

  /// Creates a reserve.
  package init(bytes: Int64, source: Source) {
    self.bytes = bytes
    self.source = source
  }

  /// Returns the larger of this reserve and another requirement.
  package func raised(to other: Int64?, by source: Source) -> FreeReserve {
    guard let other, other > bytes else { return self }
    return FreeReserve(bytes: other, source: source)
  }
}

extension FreeReserve.Source: CustomStringConvertible {
  /// The source as text that follows the number of bytes.
  package var description: String {
    switch self {
    case .standard: "the default of the state root"
    case .root: "the setting of the state root"
    case .app: "the setting of the app"
    case .policy: "limits.freeReserve of its policy"
    }
  }
}
