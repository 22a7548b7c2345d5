// SPDX-License-Identifier: Apache-2.0

/// How much of a file system a session leaves free, and who says so.
///
/// Several may say how much. The most counts, so that nobody makes weaker what another asked for.
package struct FreeReserve: Sendable, Hashable {
  /// Who says so.
  package enum Source: String, Sendable {
    /// Nobody: it is standard.
    case standard
    /// The person, for every app of the state root.
    case root
    /// The person, for this app.
    case app
    /// The session's policy.
    case policy
  }

  /// How many bytes.
  package private(set) var bytes: Int64
  /// Who says so.
  package private(set) var source: Source

  /// Describes a reserve.
  package init(bytes: Int64, source: Source) {
    self.bytes = bytes
    self.source = source
  }

  /// What holds when somebody else asks for this much as well.
  package func raised(to other: Int64?, by source: Source) -> FreeReserve {
    guard let other, other > bytes else { return self }
    return FreeReserve(bytes: other, source: source)
  }
}

extension FreeReserve.Source: CustomStringConvertible {
  /// In words, behind the number.
  package var description: String {
    switch self {
    case .standard: "as is standard for the state root"
    case .root: "as was chosen for the state root"
    case .app: "as was chosen for the app"
    case .policy: "as limits.freeReserve of its policy says"
    }
  }
}
