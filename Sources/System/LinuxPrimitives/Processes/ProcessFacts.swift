// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What `/proc` says of one process. A process that has ended, or that this user may not look at, has nothing to say.
///
/// Nothing here can be shaped by the process itself: only numbers are read, and no file that holds its name.
package struct ProcessFacts: ~Copyable {
  /// Its directory in `/proc`: it stays this process's when the number is given to another.
  private let directory: Descriptor
  /// Its number.
  package let process: Int32
  /// The number of the directory, valid as long as this value lives.
  var rawDirectory: Int32 { directory.rawValue }

  /// Begins to look at a process; nil if there is none.
  package init?(_ process: Int32) {
    guard let opened = try? FileSystem.open("/proc/\(process)", [.directory]) else { return nil }
    directory = opened
    self.process = process
  }

  /// Its pages (`/proc/PID/statm`).
  package struct Pages: Sendable, Hashable {
    /// The pages of its address space.
    package var size: Int
    /// Those that are in memory.
    package var resident: Int
    /// Those of them that belong to files or to shared memory.
    package var shared: Int
    /// The pages that are the process's alone, or copies that it shares with those that it was forked from.
    package var anonymous: Int { max(0, resident - shared) }
  }

  /// Its pages; nil if it has ended.
  package var pages: Pages? {
    let raw = directory.rawValue
    guard let text = try? FileSystem.open("statm", in: .directory(raw), .read).readSome() else { return nil }
    let numbers = text.split(separator: UInt8(ascii: " ")).prefix(3).compactMap { Self.number($0) }
    guard numbers.count == 3 else { return nil }
    return Pages(size: numbers[0], resident: numbers[1], shared: numbers[2])
  }

  /// Its share of memory, page by page (`/proc/PID/smaps_rollup`): a page that several processes use counts in parts.
  package struct Share: Sendable, Hashable {
    /// Bytes of its own, swapped out or not.
    package var anonymous = 0
    /// Bytes of memory files and shared mappings.
    package var shared = 0

    /// Nothing yet.
    package init() {}
  }

  /// Its share of memory. Takes time in proportion to how much memory it has.
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

  /// Its threads; none if it has ended.
  package var threads: [Int32] {
    let raw = directory.rawValue
    guard let tasks = try? FileSystem.open("task", in: .directory(raw), [.directory]),
      let names = try? tasks.entryNames()
    else { return [] }
    return names.compactMap { Self.number($0[...]).map(Int32.init) }
  }

  /// The children of one of its threads (`/proc/PID/task/TID/children`).
  package func children(of thread: Int32) -> [Int32] {
    let raw = directory.rawValue
    guard let file = try? FileSystem.open("task/\(thread)/children", in: .directory(raw), .read),
      let text = try? file.readAll(limit: 1 << 22)
    else { return [] }
    return text.split(separator: UInt8(ascii: " ")).compactMap { Self.number($0).map(Int32.init) }
  }

  /// Whether it and another process share their memory (kcmp(2)); false if the kernel does not say.
  package func sharesMemory(with other: Int32) -> Bool { darkroom_compare_memory(process, other) == 0 }

  /// Calls `body` with file and size of each open descriptor that belongs to the file system with the number `device`,
  /// until it returns false.
  package func eachFile(on device: UInt64, _ body: (_ inode: UInt64, _ bytes: Int) -> Bool) {
    let raw = directory.rawValue
    guard let open = try? FileSystem.open("fd", in: .directory(raw), [.directory]),
      let names = try? open.entryNames()
    else { return }
    let base = open.rawValue
    for name in names {
      var result = stat()
      let number = String(decoding: name, as: UTF8.self)
      // Through the link of `/proc`, which leads to the open file itself, whatever its name is.
      guard fstatat(base, number, &result, 0) == 0 else { continue }
      let bytes = UInt64(result.st_dev) == device ? Int(result.st_blocks) * 512 : 0
      guard body(bytes == 0 ? 0 : UInt64(result.st_ino), bytes) else { return }
    }
  }

  /// Reads a decimal number.
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
  /// What one read brings of a file that the kernel makes up, at most 4096 bytes.
  borrowing func readSome() throws(SystemCallError) -> [UInt8] {
    let raw = rawValue
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try check("read") { CLinux.read(raw, &bytes, 4096) }
    bytes.removeLast(4096 - count)
    return bytes
  }
}

extension MemoryFile {
  /// The number of the file system that memory files are on, the same for all.
  package static let device: UInt64? = {
    guard let file = try? make(name: "darkroom", size: 0), let status = try? file.status() else { return nil }
    return status.device
  }()
}
