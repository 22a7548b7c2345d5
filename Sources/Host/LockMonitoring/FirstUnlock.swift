// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Whether the person was here since the machine was started: before that nothing is offered.
package enum FirstUnlock: String, Hashable, Sendable {
  /// The person was seen unlocked in this boot.
  case done
  /// Nobody has unlocked yet.
  case pending
}

/// Remembers the boot in which the person was seen unlocked.
struct FirstUnlockMarker {
  /// The places of the lock.
  let places: LockPlaces
  /// The name of this boot, from `/proc/sys/kernel/random/boot_id`; nil if the kernel does not tell it.
  let boot: String?

  /// Looks for the marker of this boot.
  var state: FirstUnlock {
    guard let boot, let bytes = try? FileSystem.contents(places.firstUnlockFile, limit: 64),
      String(decoding: bytes, as: UTF8.self) == boot + "\n"
    else { return .pending }
    return .done
  }

  /// Writes the marker; that it cannot be written means that the next process asks again.
  func set() {
    guard let boot else { return }
    try? places.prepare()
    try? FileSystem.replaceContents(places.firstUnlockFile, with: Array("\(boot)\n".utf8))
  }
}
