// SPDX-License-Identifier: Apache-2.0

/// What is known of the space that a session takes in files without a name.
package struct NamelessUse: Sendable, Hashable {
  /// The bytes of files that were seen.
  package var seen: Int64
  /// Files whose size cannot be seen.
  package var unsized: Int
  /// Whether there are processes whose files cannot be seen.
  package var isHidden: Bool

  /// Says what was found.
  package init(seen: Int64 = 0, unsized: Int = 0, isHidden: Bool = false) {
    self.seen = seen
    self.unsized = unsized
    self.isHidden = isHidden
  }

  /// The bytes to judge by. What cannot be seen counts as much as it can be: a file as much as the largest may be, a
  /// process all by which more is in use on the file system than when the session began. `room` is that, without what
  /// the session has in files with names.
  package func bytes(room: Int64, largestFile: Int64) -> Int64 {
    guard !isHidden else { return max(seen, room) }
    let (unseen, overflow) = largestFile.multipliedReportingOverflow(by: Int64(unsized))
    let (most, tooMuch) = seen.addingReportingOverflow(unseen)
    return overflow || tooMuch ? max(seen, room) : max(seen, min(room, most))
  }
}
