// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import SessionStore

extension SessionMachine {
  /// The session directory was measured, with what is in files without a name; `disk` is how much of the file system can
  /// still be taken, without what is nobody's.
  ///
  /// Where there is no room left files stop growing, which the extension can handle. Names cannot be refused; more of
  /// them than there may be end the session.
  package mutating func roomMeasured(_ usage: ContentUsage, disk: Int64) -> [SessionAction] {
    guard !isEnding else { return [] }
    let room = room(usage, disk)
    let wanted = wantedGrowth(Int64(terms.sessionBytes) - usage.bytes, disk)
    var actions: [SessionAction] = []
    if wanted != growth {
      growth = wanted
      actions.append(.turnGrowth(wanted))
      if wanted == .closed {
        actions.append(.log(.notice, "no room is left (\(room.reason.rawValue)): files cannot grow"))
      }
    }
    // An extension that is still starting is told when it has answered.
    if room.state != self.room, phase != .starting {
      self.room = room.state
      if terms.conversation == .messages { actions.append(.send(.notification(.contentRoom(room)))) }
    }
    return actions
  }

  /// Whether files may grow. Once they may not, there has to be a little room first, so that the two do not alternate.
  private func wantedGrowth(_ left: Int64, _ disk: Int64) -> GrowthValve.State {
    // A policy that allows no content at all is kept by ending the session, so that scratch space can be written.
    let least = min(left, disk)
    guard growth == .closed else { return least <= 0 && terms.sessionBytes > 0 ? .closed : .open }
    return least >= min(1 << 20, Int64(terms.sessionBytes) / 16) && least > 0 ? .open : .closed
  }

  /// The room that there is.
  private func room(_ usage: ContentUsage, _ disk: Int64) -> ContentRoom {
    let (left, files) = (
      Int64(terms.sessionBytes) - usage.bytes, Int64(terms.sessionFiles) - usage.entries
    )
    let state: ContentRoom.State
    if wantedGrowth(left, disk) == .closed || files <= 0 {
      state = .full
    } else if left < Int64(terms.sessionBytes) / 10 || files < Int64(terms.sessionFiles) / 10
      || disk < left && disk < Self.lowDisk
    {
      state = .low
    } else {
      state = .free
    }
    return ContentRoom(
      state,
      disk < left ? .disk : terms.boundBy,
      bytes: max(0, min(left, disk)),
      files: max(0, files)
    )
  }

  /// Less than this is little for a file system, in bytes.
  private static let lowDisk: Int64 = 64 << 20
}
