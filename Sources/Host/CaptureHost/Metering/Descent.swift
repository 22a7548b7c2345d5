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
  static func leads(
    from facts: borrowing ProcessFacts,
    to root: Int32,
    by family: Set<Int32>,
    opening open: (Int32) -> ProcessFacts? = { ProcessFacts($0) }
  ) -> Bool {
    guard let parent = facts.parent else { return false }
    return leads(from: facts, by: parent, to: root, steps: most, open) ?? family.contains(parent)
  }

  /// The same of a process with this parent; nil: they are more than are looked at.
  private static func leads(
    from facts: borrowing ProcessFacts,
    by parent: Int32,
    to root: Int32,
    steps: Int,
    _ open: (Int32) -> ProcessFacts?
  ) -> Bool? {
    if parent == root { return true }
    guard parent > 1 else { return false }
    guard steps > 1 else { return nil }
    // A parent that ended before it was opened can have left its number to one of the session's. Then this process has
    // another parent by now.
    guard let above = open(parent), facts.parent == parent, let next = above.parent else { return false }
    return leads(from: above, by: next, to: root, steps: steps - 1, open)
  }
}
