// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The known space that a session takes in unlinked files.
package struct UnlinkedFileUsage: Sendable, Hashable {
  /// An unlinked file.
  package struct File: Sendable, Hashable {
    /// The inode number.
    package var inode: UInt64
    /// The size in bytes.
    package var bytes: Int64
    /// The process that holds the file.
    package var holder: UnlinkedFiles.Holder
  }

  /// The reason why some files cannot be measured. The growth of the file system since the session started
  /// then counts instead.
  package enum Uncertainty: Sendable, Hashable {
    /// The host's user may not inspect some of the processes.
    case denied
    /// The inspection of the processes exceeds the time limit.
    case timedOut
    /// Descriptors are queued in sockets of the session, and the kernel does not report their files.
    case queued
    /// Files are only mapped, and the host's user cannot determine their size.
    case unsized

    /// The reason as a part of a sentence.
    package var sentence: String {
      switch self {
      case .denied: "the host may not inspect all processes of the session"
      case .timedOut: "the inspection of the processes exceeded its time limit"
      case .queued: "file descriptors are queued in sockets of the session (SCM_RIGHTS)"
      case .unsized: "the host cannot determine the size of files that are only mapped"
      }
    }
  }

  /// The bytes of the files that were measured.
  package var measuredBytes: Int64
  /// The largest measured file, or `nil` if there is none.
  package var largest: File?
  /// The number of files of unknown size.
  package var unsizedCount: Int
  /// The reason why the files of some processes are unknown, or `nil` if all are known.
  package var inaccessible: Uncertainty?
  /// Whether the files of some processes are unknown.
  package var hasInaccessibleProcesses: Bool { inaccessible != nil }

  /// Creates a usage value from the results of a scan.
  package init(seen: Int64 = 0, largest: File? = nil, unsized: Int = 0, hidden: Uncertainty? = nil) {
    self.measuredBytes = seen
    self.largest = largest
    self.unsizedCount = unsized
    self.inaccessible = hidden
  }

  /// Returns the smaller usage of two consecutive scans, or the first usage if the second scan was
  /// incomplete.
  package func confirmed(by second: UnlinkedFileUsage, room: Int64, largestFile: Int64) -> UnlinkedFileUsage {
    guard !second.hasInaccessibleProcesses else { return self }
    let isLess =
      second.bytes(room: room, largestFile: largestFile) < bytes(room: room, largestFile: largestFile)
    return isLess ? second : self
  }

  /// Returns the bytes to compare with the limit.
  ///
  /// Unknown files count at their upper bound: a file of unknown size as `largestFile`, and a process that
  /// cannot be inspected as `room`.
  ///
  /// - Parameters:
  ///   - room: The growth of the file system since the session started, without the session's files that have
  ///     names.
  ///   - largestFile: The largest file that the policy allows, in bytes.
  /// - Returns: The number of bytes.
  package func bytes(room: Int64, largestFile: Int64) -> Int64 {
    guard !hasInaccessibleProcesses else { return max(measuredBytes, room) }
    let (unseen, overflow) = largestFile.multipliedReportingOverflow(by: Int64(unsizedCount))
    let (most, tooMuch) = measuredBytes.addingReportingOverflow(unseen)
    return overflow || tooMuch ? max(measuredBytes, room) : max(measuredBytes, min(room, most))
  }

  /// Returns the reason why more bytes count than were measured, or `nil` if only measured bytes count.
  package func uncertainty(room: Int64, largestFile: Int64) -> Uncertainty? {
    bytes(room: room, largestFile: largestFile) > measuredBytes ? inaccessible ?? .unsized : nil
  }
}
