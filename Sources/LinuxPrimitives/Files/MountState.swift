// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What is mounted where for this process, by which it is known again: two states are the same only if every mount is the
/// same one, in the same place and with the same options.
///
/// The numbers in the kernel's table are given again when a mount has gone (proc_pid_mountinfo(5)), and those of its file
/// system as well; so a table that reads the same need not be. The numbers of listmount(2) are given once.
package struct MountState: Sendable, Equatable {
  private let table: [UInt8]
  private let numbers: [UInt64]
  /// How many numbers are asked for at once.
  private static let most = 512

  /// Notes what is mounted now, by `/proc/self/mountinfo`, which was opened as this; nil if it cannot be known again.
  package static func read(_ table: borrowing Descriptor) throws(SystemCallError) -> MountState? {
    try table.rewind()
    return try table.readAll(limit: 1 << 22).flatMap { MountState(table: $0) }
  }

  /// Notes what is mounted now. `table` is the text of `/proc/self/mountinfo`, read just before. Nil if the kernel does not
  /// tell: it does since Linux 6.8, unless a sandbox around this process keeps it from that.
  package init?(table: [UInt8]) {
    var numbers: [UInt64] = []
    let part = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: Self.most)
    defer { part.deallocate() }
    while true {
      guard let start = part.baseAddress else { return nil }
      let count = darkroom_list_mounts(numbers.last ?? 0, start, part.count)
      guard count >= 0 else { return nil }
      numbers += part[..<count]
      if count < part.count { break }
    }
    self.table = table
    self.numbers = numbers
  }
}
