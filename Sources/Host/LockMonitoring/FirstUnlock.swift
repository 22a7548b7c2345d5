// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Whether the user has unlocked the screen since boot. Before the first unlock, no session is offered.
package enum FirstUnlock: String, Hashable, Sendable {
  /// The screen was unlocked in this boot.
  case done
  /// The screen has not been unlocked yet.
  case pending
}

/// The file that records the boot in which the screen was unlocked.
struct FirstUnlockMarker {
  /// The paths of the lock's files.
  let paths: LockPaths
  /// The ID of this boot from `/proc/sys/kernel/random/boot_id`, or `nil` if it is unavailable.
  let boot: String?

  /// The state that the marker file shows for this boot.
  var state: FirstUnlock {
    guard let boot, let bytes = try? FileSystem.contents(paths.firstUnlockFile, limit: 64),
      String(decoding: bytes, as: UTF8.self) == boot + "\n"
    else { return .pending }
    return .done
  }

  /// Writes the marker file. If that fails, the next process starts without the marker.
  func set() {
    guard let boot else { return }
    try? paths.prepare()
    try? FileSystem.replaceContents(paths.firstUnlockFile, with: Array("\(boot)\n".utf8))
  }
}
