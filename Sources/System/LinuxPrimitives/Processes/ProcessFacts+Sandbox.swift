// SPDX-License-Identifier: Apache-2.0

extension ProcessFacts {
  /// Returns the IDs of all processes in `/proc`.
  package static func everyProcess() throws(SystemCallError) -> [Int32] {
    try FileSystem.names(in: "/proc").compactMap { Int32($0) }
  }

  /// The user and PID namespace of a process, from `/proc/PID/status`, which every user may read.
  package struct Identity: Sendable, Hashable {
    /// The real UID, in the user namespace of this process.
    package var user: UInt32
    /// Whether the process is PID 1 of a descendant of this process's PID namespace.
    package var isNamespaceInit: Bool
  }

  /// The user and PID namespace of the process, or `nil` if the process has exited, even if it is a zombie.
  package var identity: Identity? {
    guard let text = try? FileSystem.open("status", in: .directory(rawDirectory), .read).readSome(),
      let state = Self.value(of: "State:\t", in: text), state.first != UInt8(ascii: "Z"),
      let user = Self.value(of: "Uid:\t", in: text).map(Self.numbers)?.first
    else { return nil }
    let numbers = Self.value(of: "NSpid:\t", in: text).map(Self.numbers) ?? []
    return Identity(
      user: UInt32(truncatingIfNeeded: user),
      isNamespaceInit: numbers.count > 1 && numbers.last == 1
    )
  }

  /// Returns the numbers of a tab-separated line.
  private static func numbers(_ line: ArraySlice<UInt8>) -> [Int] {
    line.split(separator: UInt8(ascii: "\t")).compactMap(number)
  }

  /// The parent process, or `nil` if the process has exited. For a thread, this is the parent of its process.
  package var parent: Int32? {
    guard let text = try? FileSystem.open("status", in: .directory(rawDirectory), .read).readSome() else {
      return nil
    }
    return Self.value(of: "PPid:\t", in: text).flatMap(Self.number).map(Int32.init)
  }

  /// Returns the text after a prefix of a line, up to the end of the line. Processes of a session are
  /// inspected many times a second, and splitting the whole text takes longer than the kernel needs to
  /// generate it.
  private static func value(of name: StaticString, in text: [UInt8]) -> ArraySlice<UInt8>? {
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    // The first line contains the process name, in which the kernel escapes newlines.
    var line = text[...]
    while !line.isEmpty {
      let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
      if line.starts(with: name) { return line[line.startIndex + name.count..<end] }
      line = line[end...].dropFirst()
    }
    return nil
  }

  /// The arguments of execve(2), or the first 4096 bytes of them (`/proc/PID/cmdline`). The process can
  /// change them.
  package var commandLine: [String] {
    guard let text = try? FileSystem.open("cmdline", in: .directory(rawDirectory), .read).readSome() else {
      return []
    }
    return text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the status of a file in the root directory of the process, or `nil` if the file does not exist
  /// or is inaccessible.
  package func file(inRoot path: String) -> FileStatus? {
    (try? FileSystem.status("root\(path)", in: .directory(rawDirectory))) ?? nil
  }

  /// Returns a pidfd of the process, or `nil` if the process has exited.
  package borrowing func handle() -> ProcessHandle? {
    guard let handle = try? ProcessHandle.open(process), identity != nil else { return nil }
    // The process is still running, so the PID was its own when the pidfd was opened.
    return handle
  }
}
