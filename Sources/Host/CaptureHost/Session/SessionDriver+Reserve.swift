// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

extension SessionDriver {
  /// Reserves the space that the migration of this content requires.
  ///
  /// If the space is unavailable and the existing reserve is too small, the session ends now. Its captures
  /// can then still be migrated.
  mutating func reserveSpace(for usage: ContentUsage) {
    guard !machine.isEnding, usage.entries > 0 else { return }
    do throws(StoreError) {
      try SpaceReserve(places.all).grow(for: usage, isFinal: hasExited, keeping: meters.freeReserve)
    } catch {
      // An extension that exited by itself keeps its outcome.
      if !hasExited { perform(machine.reserveRefused(error)) }
    }
  }

  /// Updates the state machine with the space that is left for content, by quota and on the file system.
  mutating func updateAvailableSpace(_ usage: ContentUsage) {
    guard !hasExited else { return }
    let free = (try? FileSystem.freeSpace(places.all.directory)).map {
      Int64(clamping: $0) - meters.freeReserve
    }
    perform(machine.spaceMeasured(usage, disk: dependencies.space?.free ?? free ?? .max))
  }
}
