// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// The duration of one part of a launch.
package struct LaunchTiming: Sendable, Hashable {
  /// The name of the part, for example `root`.
  package var name: String
  /// The duration in nanoseconds.
  package var nanoseconds: UInt64

  /// Creates a timing.
  package init(name: String, nanoseconds: UInt64) {
    self.name = name
    self.nanoseconds = nanoseconds
  }

  /// Returns the timestamps of a plan that was carried out, in nanoseconds of ``MonotonicClock``.
  static func timestamps<Stamps>(_ stamps: Stamps) -> [UInt64] {
    withUnsafeBytes(of: stamps) { Array($0.bindMemory(to: UInt64.self)) }
  }

  /// Returns the time between the first and the last timestamp. The sum of the parts can be larger, because
  /// parts overlap.
  static func whole(_ timestamps: [UInt64]) -> UInt64 {
    let (first, last) = (timestamps[DARKROOM_STAMP_START], timestamps[DARKROOM_STAMP_RETURNED])
    return last > first ? last - first : 0
  }

  /// Returns the parts between the timestamps of the two processes.
  ///
  /// The parts overlap: the session init is executed while the extension's process prepares itself. In a
  /// prewarmed session, the extension's process changes its identity while the init completes the root. Its
  /// identity part is then only the additional time.
  static func read(_ timestamps: [UInt64]) -> [LaunchTiming] {
    func between(_ name: String, _ from: Int, _ to: Int) -> LaunchTiming {
      LaunchTiming(
        name: name,
        nanoseconds: timestamps[to] > timestamps[from] ? timestamps[to] - timestamps[from] : 0
      )
    }
    return [
      between("namespaces", DARKROOM_STAMP_START, DARKROOM_STAMP_CLONED),
      between("root", DARKROOM_STAMP_CLONED, DARKROOM_STAMP_ROOT),
      between("network", DARKROOM_STAMP_ROOT, DARKROOM_STAMP_NETWORK),
      between("identity and capabilities", DARKROOM_STAMP_NETWORK, DARKROOM_STAMP_IDENTITY),
      between("descriptors and limits", DARKROOM_STAMP_IDENTITY, DARKROOM_STAMP_EXTENSION_PREPARED),
      between("wait for the host", DARKROOM_STAMP_EXTENSION_PREPARED, DARKROOM_STAMP_PERMITTED),
      between("session init", DARKROOM_STAMP_PERMITTED, DARKROOM_STAMP_GATE),
      between("landlock", DARKROOM_STAMP_GATE, DARKROOM_STAMP_LANDLOCK),
      between("filter and execve", DARKROOM_STAMP_LANDLOCK, DARKROOM_STAMP_EXECUTED),
      between("return to the host", DARKROOM_STAMP_EXECUTED, DARKROOM_STAMP_RETURNED),
    ]
  }
}
