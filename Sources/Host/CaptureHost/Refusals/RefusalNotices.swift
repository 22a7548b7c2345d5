// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals

/// Reports refused calls while their session runs, so that a program that hangs after a refusal is explained
/// at once.
///
/// Equal refusals are reported once, probes are not reported, and the number of notices is bounded.
struct RefusalNotices {
  private let supervisor: RefusalSupervisor
  private let notice: (String) -> Void
  /// The number of kinds of refusals that were examined.
  private var examined = 0
  /// The number of refusals that were reported, including the one that the last notice defers to the end of
  /// the session.
  private(set) var reported = 0

  /// The delay between a refusal and its report, in nanoseconds. A session that exits earlier reports all of
  /// its refusals at its end.
  private static let delay: UInt64 = 1_000_000_000
  /// The maximum number of refusals that are explained before the session ends.
  private static let maximumNotices = 5

  /// Reports refusals of a session to `notice`.
  init(_ supervisor: RefusalSupervisor, _ notice: @escaping (String) -> Void) {
    self.supervisor = supervisor
    self.notice = notice
  }

  /// Reports the refusals that are old enough.
  mutating func report(at now: UInt64) {
    guard reported <= Self.maximumNotices else { return }
    for entry in supervisor.entries(from: examined) {
      guard entry.firstTimestamp + Self.delay <= now else { return }
      examined += 1
      guard entry.refusal.probe == nil else { continue }
      reported += 1
      if reported > Self.maximumNotices {
        notice("more calls are refused; they are listed at the end of the session")
        return
      }
      notice(entry.refusal.sentence)
    }
  }

  /// The number of refusals that were explained.
  var explained: Int { min(reported, Self.maximumNotices) }
}
