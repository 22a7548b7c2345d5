// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// Prevents the files of a session from growing while no space is left. Writes then fail with `EFBIG`, which
/// the extension can handle, and deleting files frees space.
///
/// The limiter changes the soft limit on the file size (`RLIMIT_FSIZE`) of every process of the session. It
/// works on every file system and for every user. The limit applies to all files, including those of the
/// scratch space. A process that has set its own limit is left alone; the hard limit of the session
/// terminates it.
package struct FileSizeLimiter {
  /// The state of the limiter.
  package enum State: Sendable, Hashable {
    /// Files may grow up to the limit of the policy.
    case inactive
    /// Files may not grow beyond 4096 bytes.
    case active
  }

  /// The PID of the session's init, which writes nothing. The extension is a child of it even in a restricted
  /// session.
  private let root: Int32
  /// The file size limit with which the extension was launched, in bytes.
  private let launchLimit: UInt64
  /// The user and group of the extension outside its namespaces, or `nil` if they are those of the host.
  private let owner: ContentOwner?
  /// The current state.
  private(set) var state = State.inactive

  /// The file size that remains allowed in the closed state, in bytes: enough for a note, a setting, or a
  /// line of output.
  private static let minimumFileSize: UInt64 = 4096

  /// The maximum number of passes. A process that was forked during a pass may have the earlier limit of its
  /// parent.
  private static let attempts = 64

  /// Creates a limiter in the open state.
  init(root: Int32, most: Int, owner: ContentOwner?) {
    self.root = root
    self.launchLimit = UInt64(most)
    self.owner = owner
  }

  /// Sets the state for every process of the session.
  ///
  /// A forked process inherits the limit that its parent has at that time. No process with the earlier limit
  /// remains after a pass that changed no process and missed none.
  mutating func set(_ state: State) {
    self.state = state
    let minimumFileSize = min(Self.minimumFileSize, launchLimit)
    let (from, to) = state == .active ? (launchLimit, minimumFileSize) : (minimumFileSize, launchLimit)
    for _ in 0..<Self.attempts {
      let census = ProcessTreeCensus.take(below: root)
      let moved = move(census.members.map(\.process).filter { $0 != root }, from: from, to: to)
      if census.missedProcesses == 0, !moved { return }
    }
  }

  /// Changes the limit of the processes whose limit is `from`. Returns whether any limit was changed.
  private func move(_ processes: [Int32], from: UInt64, to: UInt64) -> Bool {
    var isMoved = false
    var refused: [Int32] = []
    for process in processes {
      switch ProcessFacts(process)?.moveFileSizeLimit(from: from, to: to) {
      case .moved: isMoved = true
      case .refused: refused.append(process)
      case .unchanged, nil: continue
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
