// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import SessionStore

extension SessionMachine {
  /// Handles a measurement of the session directory that includes unlinked files.
  ///
  /// `disk` is the free space of the file system without its reserve. If no space is left, files stop
  /// growing, which the extension can handle. New directory entries cannot be refused, so too many of them
  /// end the session.
  package mutating func spaceMeasured(_ usage: ContentUsage, disk: Int64) -> [SessionAction] {
    guard !isEnding else { return [] }
    let room = availableSpace(usage, disk)
    let wanted = wantedLimiterState(Int64(terms.content.bytes) - usage.bytes, disk)
    var actions: [SessionAction] = []
    if wanted != fileSizeLimiter {
      fileSizeLimiter = wanted
      actions.append(.limitFileSizes(wanted))
      if wanted == .active {
        actions.append(.log(.notice, "no space is left (\(room.reason.rawValue)); files cannot grow"))
      }
    }
    // An extension that has not replied yet is notified after its reply.
    if room.state != self.reportedSpace, phase != .starting {
      self.reportedSpace = room.state
      if terms.conversation == .messages { actions.append(.send(.notification(.contentRoom(room)))) }
    }
    return actions
  }

  /// Returns the state of the file size limiter. The limiter is switched off only when some space is free,
  /// which prevents oscillation.
  private func wantedLimiterState(_ left: Int64, _ disk: Int64) -> FileSizeLimiter.State {
    // A policy that allows no content is enforced by ending the session, so that scratch space can be
    // written.
    let least = min(left, disk)
    guard fileSizeLimiter == .active else {
      return least <= 0 && terms.content.bytes > 0 ? .active : .inactive
    }
    return least >= min(1 << 20, Int64(terms.content.bytes) / 16) && least > 0 ? .inactive : .active
  }

  /// Returns the available space.
  private func availableSpace(_ usage: ContentUsage, _ disk: Int64) -> ContentRoom {
    let (left, files) = (
      Int64(terms.content.bytes) - usage.bytes, Int64(terms.content.files) - usage.entries
    )
    let state: ContentRoom.State
    if wantedLimiterState(left, disk) == .active || files <= 0 {
      state = .full
    } else if left < Int64(terms.content.bytes) / 10 || files < Int64(terms.content.files) / 10
      || disk < left && disk < Self.lowDiskThreshold
    {
      state = .low
    } else {
      state = .free
    }
    return ContentRoom(
      state,
      disk < left ? .disk : terms.content.reason,
      bytes: max(0, min(left, disk)),
      files: max(0, files)
    )
  }

  /// The free space in bytes below which a file system counts as low.
  private static let lowDiskThreshold: Int64 = 64 << 20
}
