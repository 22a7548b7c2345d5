// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The seccomp filters that a running process has installed, read by ptrace(2).
package struct ProcessFilters: Sendable, Hashable {
  /// The programs in the order in which they were installed, each an array of `struct sock_filter`.
  package var programs: [[UInt8]]

  /// Reads the filters of one thread; for a process, its main thread.
  ///
  /// The thread is stopped during the call. The kernel requires `CAP_SYS_ADMIN` in the initial user
  /// namespace, and a reader without a filter. A thread without filters can be read by every user.
  ///
  /// - Parameter thread: A thread ID.
  /// - Throws: The reason why the filters cannot be read.
  package init(of thread: Int32) throws(ProcessFiltersError) {
    switch try Self.mode(of: thread) {
    case 0: programs = []
    case 1: throw .strictMode
    default: programs = try Self.read(thread)
    }
  }

  /// Returns the seccomp mode, from the line `Seccomp` of `/proc/PID/status`.
  ///
  /// The process chooses the name in that file, but the kernel escapes newlines in the name.
  private static func mode(of thread: Int32) throws(ProcessFiltersError) -> Int {
    let text: [UInt8]
    do {
      text = try FileSystem.open("/proc/\(thread)/status", .read).readSome()
    } catch {
      if error.errno == .noSuchFile || error.errno == .noSuchProcess { throw .noProcess }
      throw .call(error)
    }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
      guard words.count == 2, words[0].elementsEqual("Seccomp:".utf8) else { continue }
      if let mode = ProcessFacts.number(words[1]) { return mode }
    }
    throw .unsupported
  }

  private static func read(_ thread: Int32) throws(ProcessFiltersError) -> [[UInt8]] {
    let signal = try stop(thread)
    // If the tracer exits, the kernel detaches it, so the thread continues in any case.
    defer {
      _ = darkroom_ptrace(
        Int(PTRACE_DETACH.rawValue),
        thread,
        0,
        UnsafeMutableRawPointer(bitPattern: Int(signal))
      )
    }
    var programs: [[UInt8]] = []
    while let program = try program(programs.count, of: thread) { programs.append(program) }
    return programs
  }

  /// Stops a thread and returns the signal that it was about to receive, or zero.
  private static func stop(_ thread: Int32) throws(ProcessFiltersError) -> Int32 {
    do {
      try check("ptrace") { darkroom_ptrace(Int(PTRACE_SEIZE.rawValue), thread, 0, nil) }
      try check("ptrace") { darkroom_ptrace(Int(PTRACE_INTERRUPT.rawValue), thread, 0, nil) }
      var status: Int32 = 0
      // The corresponding constant is `__WALL`, which Swift cannot import.
      try check("waitpid") { waitpid(thread, &status, 0x4000_0000) }
      // The low byte of a stop is 0x7F, the next byte is the signal, and the rest is an event of ptrace(2).
      guard status & 0xFF == 0x7F else { throw ProcessFiltersError.noProcess }
      return status >> 16 == 0 ? status >> 8 & 0xFF : 0
    } catch let error as SystemCallError {
      throw error.errno == .noSuchProcess ? .noProcess : .call(error)
    } catch let error as ProcessFiltersError { throw error } catch {
      preconditionFailure("unexpected error: \(error)")
    }
  }

  /// Returns a filter by its index from the oldest one, or `nil` if there is none.
  private static func program(_ index: Int, of thread: Int32) throws(ProcessFiltersError) -> [UInt8]? {
    func get(_ data: UnsafeMutableRawPointer?) throws(SystemCallError) -> Int {
      try check("ptrace") {
        darkroom_ptrace(Int(PTRACE_SECCOMP_GET_FILTER.rawValue), thread, UInt(index), data)
      }
    }
    do throws(SystemCallError) {
      let count = try get(nil)
      var bytes = [UInt8](repeating: 0, count: count * 8)
      _ = try get(&bytes)
      return bytes
    } catch {
      if error.errno == .noSuchFile { return nil }
      throw .call(error)
    }
  }
}

/// A reason why the filters of a process cannot be read.
package enum ProcessFiltersError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No process has this ID.
  case noProcess
  /// The thread is in the strict mode of seccomp(2), which has no filter.
  case strictMode
  /// The kernel has no seccomp.
  case unsupported
  /// A system call failed.
  case call(SystemCallError)

  /// The reason and its fix.
  package var description: String {
    switch self {
    case .noProcess: "No such process (ESRCH); name a running process"
    case .strictMode:
      "has no filter; its strict mode of seccomp(2) allows only read, write, exit and sigreturn"
    case .unsupported: "the kernel reports no seccomp mode; use a kernel with CONFIG_SECCOMP"
    case .call(let error): "the filters cannot be read: \(error); \(Self.fix(error.errno))"
    }
  }

  private static func fix(_ errno: Errno) -> String {
    switch errno {
    case .notPermitted, .permissionDenied:
      "run darkroom as root, outside of containers and filters, while no debugger traces the process"
    case .inputOutput, .invalidArgument: "use a kernel with CONFIG_CHECKPOINT_RESTORE"
    default: "try again"
    }
  }
}
