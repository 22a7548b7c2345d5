// SPDX-License-Identifier: Apache-2.0

/// Limits of the texts that the parser accepts.
public struct JSONLimits: Sendable, Hashable {
  /// The maximum size of a text, in bytes.
  public var bytes: Int
  /// The maximum nesting of arrays and objects.
  public var depth: Int

  /// Creates limits.
  public init(bytes: Int, depth: Int) {
    self.bytes = bytes
    self.depth = depth
  }

  /// The limits of documents that users write: manifests and policies.
  public static let document = JSONLimits(bytes: 1 << 20, depth: 64)
  /// The limits of records that the host writes and reads. A record lists every file of a session.
  public static let record = JSONLimits(bytes: 1 << 30, depth: 64)
}
