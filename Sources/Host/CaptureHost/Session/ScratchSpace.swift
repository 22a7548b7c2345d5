// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import SessionStore

/// The scratch space on disk of a session that cannot mount a tmpfs.
package struct ScratchSpace: Sendable, Hashable {
  /// The path of the directory.
  package var path: String
  /// The maximum size in bytes, which is the policy's `scratch` limit.
  package var bytes: Int

  /// The maximum number of files, which is the same as in a tmpfs.
  package static let files = 65_536

  /// Creates a scratch space.
  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }

  /// Returns the usage, or `nil` if the directory changes while it is being measured.
  package func measure() -> (bytes: Int, allocated: Int64, files: Int)? {
    // The host creates these entries.
    let own = Int64(SandboxPaths.containerNames.count)
    let limit = ContentLimit(bytes: Int64(bytes), entries: Int64(Self.files) + own)
    guard let usage = try? ContentMeter.measure(path, limit: limit) else { return nil }
    return (
      Int(max(usage.apparentBytes, usage.allocatedBytes)), usage.allocatedBytes, Int(usage.entries - own)
    )
  }
}
