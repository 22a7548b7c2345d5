// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Information about one process in `/proc`. There is none for a process that has exited or that this user
/// may not inspect.
///
/// The inspected process cannot forge this information: only numbers are read, and no file that contains the
/// process name.
package struct ProcessFacts: ~Copyable {
  /// The process directory in `/proc`, which never refers to another process, even if the PID is reused.
  private let directory: Descriptor
  /// The process ID.
  package let process: Int32
  /// The descriptor of the process directory, valid as long as this value lives.
  var rawDirectory: Int32 { directory.rawValue }

  /// Opens the process directory, or returns `nil` if there is no such process.
  package init?(_ process: Int32) {
    guard let opened = try? FileSystem.open("/proc/\(process)", [.directory]) else { return nil }
    directory = opened
    self.process = process
  }

  /// The numbers of pages of a process (`/proc/PID/statm`).
  package struct Pages: Sendable, Hashable {
    /// The pages of the address space.
    package var size: Int
    /// The pages in memory.
    package var resident: Int
    /// The pages in memory that belong to files or shared memory.
    package var shared: Int
    /// The pages in memory that are private to the process or shared copy-on-write with its parent.
    package var anonymous: Int { max(0, resident - shared) }
  }

  /// The numbers of pages, or `nil` if the process has exited.
  package var pages: Pages? {
    let raw = directory.rawValue
    guard let text = try? FileSystem.open("statm", in: .directory(raw), .read).readSome() else { return nil }
    let numbers = text.split(separator: UInt8(ascii: " ")).prefix(3).compactMap { Self.number($0) }
    guard numbers.count == 3 else { return nil }
    return Pages(size: numbers[0], resident: numbers[1], shared: numbers[2])
  }

  /// The proportional memory use of a process (`/proc/PID/smaps_rollup`): a page that N processes map counts
  /// as 1/N.
  package struct Share: Sendable, Hashable {
    /// The bytes of private memory, including swapped memory.
    package var anonymous = 0
    /// The bytes of memory files and shared mappings.
    package var shared = 0

    /// Creates a value of zero bytes.
    package init() {}
  }

  /// The proportional memory use, or `nil` if it is unavailable. The time to read it grows with the memory of
  /// the process.
  package var share: Share? {
    let raw = directory.rawValue
    guard let text = try? FileSystem.open("smaps_rollup", in: .directory(raw), .read).readSome(),
      !text.isEmpty
    else { return nil }
    var share = Share()
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 3, let kibibytes = Self.number(words[1]) else { continue }
      switch String(decoding: words[0], as: UTF8.self) {
      case "Pss_Anon:", "SwapPss:": share.anonymous += kibibytes << 10
      case "Pss_Shmem:": share.shared += kibibytes << 10
      default: break
      }
    }
    return share
  }

  /// The thread IDs, or an empty array if the process has exited.
  package var threads: [Int32] {
    let raw = directory.rawValue
    guard let tasks = try? FileSystem.open("task", in: .directory(raw), [.directory]),
      let names = try? tasks.entryNames()
    else { return [] }
    return names.compactMap { Self.number($0[...]).map(Int32.init) }
  }

  /// Returns the children of one of the threads (`/proc/PID/task/TID/children`).
  package func children(of thread: Int32) -> [Int32] {
    let raw = directory.rawValue
    guard let file = try? FileSystem.open("task/\(thread)/children", in: .directory(raw), .read),
      let text = try? file.readAll(limit: 1 << 22)
    else { return [] }
    return text.split(separator: UInt8(ascii: " ")).compactMap { Self.number($0).map(Int32.init) }
  }

  /// Returns whether this process and another share their memory (kcmp(2)), or `false` if the kernel does not
  /// report this.
  package func sharesMemory(with other: Int32) -> Bool { darkroom_compare_memory(process, other) == 0 }

  /// Calls `body` with the inode and allocated bytes of each open file, until `body` returns `false`. Files
  /// on another file system than `device` are passed as zeros.
  package func forEachFile(on device: UInt64, _ body: (_ inode: UInt64, _ bytes: Int) -> Bool) {
    let raw = directory.rawValue
    guard let open = try? FileSystem.open("fd", in: .directory(raw), [.directory]),
      let names = try? open.entryNames()
    else { return }
    let base = open.rawValue
    for name in names {
      var result = stat()
      let number = String(decoding: name, as: UTF8.self)
      // The link in `/proc` refers to the open file itself, whatever its name is.
      guard fstatat(base, number, &result, 0) == 0 else { continue }
      let bytes = UInt64(result.st_dev) == device ? Int(result.st_blocks) * 512 : 0
      guard body(bytes == 0 ? 0 : UInt64(result.st_ino), bytes) else { return }
    }
  }

  /// Returns the value of a decimal number, or `nil` if the text is not a number.
  static func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard !text.isEmpty else { return nil }
    var value = 0
    for byte in text {
      guard (48...57).contains(byte), value < 1 << 58 else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    return value
  }
}

extension Descriptor {
  /// Returns the first 4096 bytes of a file that the kernel generates, with a single read.
  borrowing func readSome() throws(SystemCallError) -> [UInt8] {
    let raw = rawValue
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try check("read") { CLinux.read(raw, &bytes, 4096) }
    bytes.removeLast(4096 - count)
    return bytes
  }
}

extension MemoryFile {
  /// The device of memory files, which is the same for all of them.
  package static let device: UInt64? = {
    guard let file = try? make(name: "darkroom", size: 0), let status = try? file.status() else { return nil }
    return status.device
  }()
}
