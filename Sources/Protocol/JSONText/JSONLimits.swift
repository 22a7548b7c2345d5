// SPDX-License-Identifier: Apache-2.0

/// How much of a text the reader is willing to look at.
public struct JSONLimits: Sendable, Hashable {
  /// The largest text, in bytes.
  public var bytes: Int
  /// The deepest nesting of arrays and objects.
  public var depth: Int

  /// Makes limits.
  public init(bytes: Int, depth: Int) {
    self.bytes = bytes
    self.depth = depth
  }

  /// Documents that people write: manifests and policies.
  public static let document = JSONLimits(bytes: 1 << 20, depth: 64)
  /// Records that the host writes and reads again; a record names every file of a session.
  public static let record = JSONLimits(bytes: 1 << 30, depth: 64)
}
