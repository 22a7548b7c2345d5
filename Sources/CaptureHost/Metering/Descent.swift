// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Whether a process descends from another that is there all the time, as a session's init is.
///
/// Where processes come and go by thousands, numbers come round again within seconds, and are those of another session's
/// processes, one after the other: that the parent has a number which was one of this session's says little, because the
/// parent may be another's, too. Whatever loses its parent inside becomes a child of the init, so that the parents of
/// everything that lives there lead to it; and its own number is nobody else's.
enum Descent {
  /// How many parents are looked at: a session that makes ever deeper ones is not to cost its host ever more.
  private static let most = 16

  /// Whether the parents lead to `root`, or are more than are looked at and begin with one of `family`; false also for one
  /// that ended meanwhile, or whose parent did.
  static func leads(from facts: borrowing ProcessFacts, to root: Int32, by family: Set<Int32>) -> Bool {
    guard let parent = facts.parent else { return false }
    var process = parent
    for _ in 0..<most {
      if process == root { return true }
      guard process > 1, let above = ProcessFacts(process)?.parent else { return false }
      process = above
    }
    return family.contains(parent)
  }
}
