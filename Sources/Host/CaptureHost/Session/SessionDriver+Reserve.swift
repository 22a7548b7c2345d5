// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

extension SessionDriver {
  /// Sets aside what handing this much over will need.
  ///
  /// If that is not to be had, and there is more than what is set aside is good for, the session ends now: what it has
  /// captured can still be handed over.
  mutating func setAside(for usage: ContentUsage) {
    guard !machine.isEnding, usage.entries > 0 else { return }
    do throws(StoreError) {
      try SpaceReserve(places.all).grow(for: usage, isAll: isOver, keeping: freeReserve)
    } catch {
      // What the extension did by itself stays its outcome.
      if !isOver { perform(machine.reserveRefused(error)) }
    }
  }

  /// Looks how much room is left for what there is, here and on the file system.
  mutating func lookForRoom(_ usage: ContentUsage) {
    guard !isOver else { return }
    let free = (try? FileSystem.freeSpace(places.all.directory)).map { Int64(clamping: $0) - freeReserve }
    perform(machine.roomMeasured(usage, disk: surroundings.space?.free ?? free ?? .max))
  }
}
