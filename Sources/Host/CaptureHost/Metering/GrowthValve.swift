// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// Lets the files of a session grow, or not: where they may not, writing more gives the extension `EFBIG`, an error that
/// it can handle, and whatever it deletes makes room again.
///
/// The means is the soft limit on the size of a file (`RLIMIT_FSIZE`) of every process of the session, which works on
/// every file system and for every user. It holds for all files, those of the scratch space as well. A process that has
/// set its own limit is left alone: it has chosen to be ended at the hard limit of the session instead.
package struct GrowthValve {
  /// Whether files may grow.
  package enum State: Sendable, Hashable {
    /// They may, as far as the policy says.
    case open
    /// None may, beyond what a note takes.
    case closed
  }

  /// The session's init, which writes nothing: in a restricted session, too, the extension is its child.
  private let root: Int32
  /// The limit with which the extension was launched.
  private let most: UInt64
  /// Who the extension is outside; nil: the same user as the host.
  private let owner: ContentOwner?
  /// Whether files may grow.
  private(set) var state = State.open

  /// How large a file can still become while none may grow, in bytes: enough for a note, a setting, a line of output.
  private static let note: UInt64 = 4096

  /// How often it is looked again, because a process that was forked meanwhile may have what its parent had before.
  private static let attempts = 64

  /// A valve that is open.
  init(root: Int32, most: Int, owner: ContentOwner?) {
    self.root = root
    self.most = UInt64(most)
    self.owner = owner
  }

  /// Opens or closes the valve, in every process of the session.
  ///
  /// What a process forks has the limit that it has itself at that moment. So once a look has found none to change, and
  /// none that had gone before it could be looked at, there will be none.
  mutating func turn(_ state: State) {
    self.state = state
    let note = min(Self.note, most)
    let (from, to) = state == .closed ? (most, note) : (note, most)
    for _ in 0..<Self.attempts {
      let census = TreeCensus.take(below: root)
      let moved = move(census.members.map(\.process).filter { $0 != root }, from: from, to: to)
      if census.missed == 0, !moved { return }
    }
  }

  /// Moves the limits of processes that stand at `from`; says whether there were any.
  private func move(_ processes: [Int32], from: UInt64, to: UInt64) -> Bool {
    var isMoved = false
    var refused: [Int32] = []
    for process in processes {
      switch ProcessFacts(process)?.moveFileSizeLimit(from: from, to: to) {
      case .moved: isMoved = true
      case .refused: refused.append(process)
      case .left, nil: continue
      }
    }
    guard let owner, !refused.isEmpty else { return isMoved }
    let count = try? ForeignLimits.moveFileSizeLimits(
      of: refused,
      user: owner.user,
      group: owner.group,
      from: from,
      to: to
    )
    return isMoved || (count ?? 0) > 0
  }
}
