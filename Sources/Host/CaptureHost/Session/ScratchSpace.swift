// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import SessionStore

/// Scratch space on disk, of a session that can mount none in memory.
package struct ScratchSpace: Sendable, Hashable {
  /// The directory.
  package var path: String
  /// How many bytes it may hold, as the policy's `scratch` says.
  package var bytes: Int

  /// How many files it may hold: as many as one in memory.
  package static let files = 65_536

  /// Names a space.
  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }

  /// What it holds; nil if that cannot be seen at the moment, because it is being changed.
  package func measure() -> (bytes: Int, allocated: Int64, files: Int)? {
    // What is there from the beginning is the host's.
    let own = Int64(InsidePaths.containerNames.count)
    let limit = ContentLimit(bytes: Int64(bytes), entries: Int64(Self.files) + own)
    guard let usage = try? ContentMeter.measure(path, limit: limit) else { return nil }
    return (
      Int(max(usage.apparentBytes, usage.allocatedBytes)), usage.allocatedBytes, Int(usage.entries - own)
    )
  }
}
