// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension ProcessFacts {
  /// Whether this thread and another share their table of descriptors (kcmp(2)); false if the kernel does not tell.
  package func sharesDescriptors(with other: Int32) -> Bool {
    darkroom_compare_descriptors(process, other) == 0
  }

  /// The number of descriptors that its table has room for, which is at least the number of open ones (`FDSize` in
  /// `/proc/PID/status`), or `nil` if the process has ended.
  package var descriptorRoom: Int? {
    guard let text = try? FileSystem.open("status", in: .directory(rawDirectory), .read).readSome() else {
      return nil
    }
    return Self.field("FDSize:", in: text)
  }

  /// Calls `body` with each open socket: its inode, and the number of descriptors that wait in its queue (`SCM_RIGHTS`,
  /// unix(7)). Ends early if `body` returns false.
  package func eachSocket(_ body: (_ inode: UInt64, _ queued: Int) -> Bool) {
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

  /// The number of descriptors that wait in the queue of an open socket (`scm_fds` in `/proc/PID/fdinfo`, Linux 5.6).
  func queuedDescriptors(of number: String) -> Int {
    guard
      let text = try? FileSystem.open("fdinfo/\(number)", in: .directory(rawDirectory), .read).readSome()
    else { return 0 }
    return Self.field("scm_fds:", in: text) ?? 0
  }

  /// The number after a name at the beginning of a line.
  private static func field(_ name: StaticString, in text: [UInt8]) -> Int? {
    let name = name.withUTF8Buffer { Array($0) }
    for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: name) {
      let blank: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      return number(line.dropFirst(name.count).drop { blank.contains($0) })
    }
    return nil
  }
}
