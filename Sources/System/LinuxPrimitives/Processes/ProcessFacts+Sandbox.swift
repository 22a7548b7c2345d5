// SPDX-License-Identifier: Apache-2.0

extension ProcessFacts {
  /// The numbers of all processes that `/proc` shows.
  package static func everyProcess() throws(SystemCallError) -> [Int32] {
    try FileSystem.names(in: "/proc").compactMap { Int32($0) }
  }

  /// What `/proc/PID/status` says, which anybody may read.
  package struct Standing: Sendable, Hashable {
    /// Its real user, as this process sees it.
    package var user: UInt32
    /// Whether it is process 1 of a pid namespace below this process's.
    package var isInitBelow: Bool
  }

  /// Who it is; nil if it has ended, and when nobody waits for it any more.
  package var standing: Standing? {
    guard let text = try? FileSystem.open("status", in: .directory(rawDirectory), .read).readSome(),
      let state = Self.value(of: "State:\t", in: text), state.first != UInt8(ascii: "Z"),
      let user = Self.value(of: "Uid:\t", in: text).map(Self.numbers)?.first
    else { return nil }
    let numbers = Self.value(of: "NSpid:\t", in: text).map(Self.numbers) ?? []
    return Standing(
      user: UInt32(truncatingIfNeeded: user),
      isInitBelow: numbers.count > 1 && numbers.last == 1
    )
  }

  /// The numbers of a line, between which there are tabs.
  private static func numbers(_ line: ArraySlice<UInt8>) -> [Int] {
    line.split(separator: UInt8(ascii: "\t")).compactMap(number)
  }

  /// The process whose child it is, or the process that one of its threads is a child of; nil if it has ended.
  package var parent: Int32? {
    guard let text = try? FileSystem.open("status", in: .directory(rawDirectory), .read).readSome() else {
      return nil
    }
    return Self.value(of: "PPid:\t", in: text).flatMap(Self.number).map(Int32.init)
  }

  /// What follows a name at the beginning of a line, up to its end. A session's processes are looked at many times a second,
  /// and to cut the whole text into lines takes longer than the kernel needs to write it.
  private static func value(of name: StaticString, in text: [UInt8]) -> ArraySlice<UInt8>? {
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    // The process's own name is in the first line, in which the kernel leaves no other begin.
    var line = text[...]
    while !line.isEmpty {
      let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
      if line.starts(with: name) { return line[line.startIndex + name.count..<end] }
      line = line[end...].dropFirst()
    }
    return nil
  }

  /// The words that it was executed with (`/proc/PID/cmdline`, its beginning). It can change its own.
  package var words: [String] {
    guard let text = try? FileSystem.open("cmdline", in: .directory(rawDirectory), .read).readSome() else {
      return []
    }
    return text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file that has this path in the root of the process; nil if there is none, or this user may not look.
  package func file(inItsRoot path: String) -> FileStatus? {
    (try? FileSystem.status("root\(path)", in: .directory(rawDirectory))) ?? nil
  }

  /// The process by a descriptor that can't come to mean another; nil if it has ended.
  package borrowing func handle() -> ProcessHandle? {
    guard let handle = try? ProcessHandle.open(process), standing != nil else { return nil }
    // It lives, so its number was nobody else's when the descriptor was made.
    return handle
  }
}
