// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension ProcessFacts {
  /// Returns whether this thread and another share their descriptor table (kcmp(2)), or `false` if the kernel
  /// does not report this.
  package func sharesDescriptors(with other: Int32) -> Bool {
    darkroom_compare_descriptors(process, other) == 0
  }

  /// The size of the descriptor table, which is at least the number of open descriptors (`FDSize` in
  /// `/proc/PID/status`), or `nil` if the process has exited.
  package var descriptorTableSize: Int? {
    guard let text = try? FileSystem.open("status", in: .directory(rawDirectory), .read).readSome() else {
      return nil
    }
    return Self.field("FDSize:", in: text)
  }

  /// Calls `body` with the inode of each open socket and the number of descriptors in its queue
  /// (`SCM_RIGHTS`, unix(7)), until `body` returns `false`.
  package func forEachSocket(_ body: (_ inode: UInt64, _ queued: Int) -> Bool) {
    guard let open = try? FileSystem.open("fd", in: .directory(rawDirectory), [.directory]),
      let names = try? open.entryNames()
    else { return }
    for name in names {
      let number = String(decoding: name, as: UTF8.self)
      var result = stat()
      guard fstatat(open.rawValue, number, &result, 0) == 0, FileStatus(result).kind == .socket else {
        continue
      }
      guard body(UInt64(result.st_ino), queuedDescriptors(of: number)) else { return }
    }
  }

  /// Returns the number of descriptors in the queue of an open socket (`scm_fds` in `/proc/PID/fdinfo`, Linux
  /// 5.6).
  func queuedDescriptors(of number: String) -> Int {
    guard
      let text = try? FileSystem.open("fdinfo/\(number)", in: .directory(rawDirectory), .read).readSome()
    else { return 0 }
    return Self.field("scm_fds:", in: text) ?? 0
  }

  /// Returns the number after a prefix of a line.
  private static func field(_ name: StaticString, in text: [UInt8]) -> Int? {
    let name = name.withUTF8Buffer { Array($0) }
    for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: name) {
      let blank: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      return number(line.dropFirst(name.count).drop { blank.contains($0) })
    }
    return nil
  }
}
