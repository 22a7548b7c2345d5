// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Tests whether a process is a descendant of another process that stays alive, such as the init of a
/// session.
///
/// The check follows the chain of parents up to the init. An orphaned process inside the session becomes a
/// child of the init, and the PID of the live init is unique. Comparing only the parent's PID is not enough.
/// If processes are created by thousands, PIDs are reused within seconds, and the parent may belong to
/// another session.
enum ProcessAncestry {
  /// The maximum number of parents that are read. It bounds the cost of a session with a deep process tree.
  private static let maximumDepth = 16

  /// Returns whether the chain of parents leads to `root`.
  ///
  /// If the chain is too long to follow, the result is whether the parent is in `family`. The result is
  /// `false` for a process that exited meanwhile, or whose parent did.
  static func leads(
    from facts: borrowing ProcessFacts,
    to root: Int32,
    by family: Set<Int32>,
    opening open: (Int32) -> ProcessFacts? = { ProcessFacts($0) }
  ) -> Bool {
    guard let parent = facts.parent else { return false }
    return leads(from: facts, by: parent, to: root, steps: maximumDepth, open) ?? family.contains(parent)
  }

  /// Returns whether the chain that starts with this parent leads to `root`, or `nil` if the chain is too
  /// long.
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
    // The PID of a parent that exited before it was opened may have been reused by a process of the session.
    // In this case, the process has another parent by now.
    guard let above = open(parent), facts.parent == parent, let next = above.parent else { return false }
    return leads(from: above, by: next, to: root, steps: steps - 1, open)
  }
}
