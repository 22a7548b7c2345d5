// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// How long one part of a launch took.
package struct LaunchTiming: Sendable, Hashable {
  /// The part, for example `root`.
  package var name: String
  /// Nanoseconds.
  package var nanoseconds: UInt64

  /// Makes a timing.
  package init(name: String, nanoseconds: UInt64) {
    self.name = name
    self.nanoseconds = nanoseconds
  }

  /// The moments of a plan that was carried out, in ``MonotonicClock`` nanoseconds.
  static func moments<Stamps>(_ stamps: Stamps) -> [UInt64] {
    withUnsafeBytes(of: stamps) { Array($0.bindMemory(to: UInt64.self)) }
  }

  /// From the first moment to the last. Parts overlap, so that their sum can be more.
  static func whole(_ moments: [UInt64]) -> UInt64 {
    let (first, last) = (moments[DARKROOM_STAMP_START], moments[DARKROOM_STAMP_RETURNED])
    return last > first ? last - first : 0
  }

  /// The parts between the moments that the two processes noted. They overlap: the session init is executed while the
  /// extension's process prepares itself. Where both had waited for the session, that one changes its identity while the
  /// init completes the root, and what is told of it is how much longer it took.
  static func read(_ moments: [UInt64]) -> [LaunchTiming] {
    func between(_ name: String, _ from: Int, _ to: Int) -> LaunchTiming {
      LaunchTiming(name: name, nanoseconds: moments[to] > moments[from] ? moments[to] - moments[from] : 0)
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
