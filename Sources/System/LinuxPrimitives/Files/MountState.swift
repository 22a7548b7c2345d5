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
    guard let numbers = Self.numbers() else { return nil }
    self.table = table
    self.numbers = numbers
  }

  /// Whether the kernel tells.
  package static var isTold: Bool { numbers() != nil }

  private static func numbers() -> [UInt64]? {
    var numbers: [UInt64] = []
    var part = [UInt64](repeating: 0, count: most)
    while true {
      let count = darkroom_list_mounts(numbers.last ?? 0, &part, most)
      guard count >= 0 else { return nil }
      numbers += part[..<count]
      if count < most { return numbers }
    }
  }
}
