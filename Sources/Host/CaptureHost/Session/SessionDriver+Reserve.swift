// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

extension SessionDriver {
  /// Reserves the space that the migration of this content requires.
  ///
  /// If the space is unavailable and the existing reserve is too small, the session ends now. Its captures
  /// can then still be migrated.
  mutating func setAside(for usage: ContentUsage) {
    guard !machine.isEnding, usage.entries > 0 else { return }
    do throws(StoreError) {
      try SpaceReserve(places.all).grow(for: usage, isAll: isOver, keeping: freeReserve)
    } catch {
      // An extension that exited by itself keeps its outcome.
      if !isOver { perform(machine.reserveRefused(error)) }
    }
  }

  /// Updates the state machine with the space that is left for content, by quota and on the file system.
  mutating func lookForRoom(_ usage: ContentUsage) {
    guard !isOver else { return }
    let free = (try? FileSystem.freeSpace(places.all.directory)).map { Int64(clamping: $0) - freeReserve }
    perform(machine.roomMeasured(usage, disk: surroundings.space?.free ?? free ?? .max))
  }
}
