// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// What is known of the space that a session takes in files without a name.
package struct NamelessUse: Sendable, Hashable {
  /// One of the files.
  package struct File: Sendable, Hashable {
    /// Its inode.
    package var inode: UInt64
    /// The bytes that it takes.
    package var bytes: Int64
    /// Who keeps it.
    package var keeper: NamelessFiles.Keeper
  }

  /// Why the files cannot be told, so that what has come into use on their file system since the session began counts.
  package enum Doubt: Sendable, Hashable {
    /// There are processes that the host's user may not look at.
    case denied
    /// Looking at the processes takes longer than a host may look.
    case noTime
    /// Descriptors wait in sockets of the session, and nobody is told of which files.
    case queued
    /// Files are only mapped, and their size is not told to the host's user.
    case unsized

    /// The reason as a part of a sentence.
    package var sentence: String {
      switch self {
      case .denied: "the host's user may not look at all of its processes"
      case .noTime: "the host had no time to look at all of its processes"
      case .queued: "descriptors wait in sockets of the session (SCM_RIGHTS)"
      case .unsized: "the host's user is not told how large files are that are only mapped"
      }
    }
  }

  /// The bytes of files that were seen.
  package var seen: Int64
  /// The largest of them; nil: there is none.
  package var largest: File?
  /// Files whose size cannot be seen.
  package var unsized: Int
  /// Why there are processes whose files cannot be seen; nil if there are none.
  package var hidden: Doubt?
  /// Whether there are processes whose files cannot be seen.
  package var isHidden: Bool { hidden != nil }

  /// Says what was found.
  package init(seen: Int64 = 0, largest: File? = nil, unsized: Int = 0, hidden: Doubt? = nil) {
    self.seen = seen
    self.largest = largest
    self.unsized = unsized
    self.hidden = hidden
  }

  /// What two looks in turn have seen, each for itself: the one that comes to less, unless the second saw not everything.
  package func confirmed(by second: NamelessUse, room: Int64, largestFile: Int64) -> NamelessUse {
    guard !second.isHidden else { return self }
    let isLess =
      second.bytes(room: room, largestFile: largestFile) < bytes(room: room, largestFile: largestFile)
    return isLess ? second : self
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

  /// Why more counts than was seen; nil if that is all.
  package func doubt(room: Int64, largestFile: Int64) -> Doubt? {
    bytes(room: room, largestFile: largestFile) > seen ? hidden ?? .unsized : nil
  }
}
