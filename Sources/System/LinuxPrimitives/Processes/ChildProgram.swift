// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Runs programs outside any sandbox, with the privileges of this process (posix_spawn(3)).
package enum ChildProgram {
  /// The exit status and output of a program.
  package struct Result: Sendable {
    /// The exit status, or `nil` if the program timed out and was killed.
    package var status: ExitStatus?
    /// The standard output.
    package var output: [UInt8]
  }

  /// Runs a program until it exits or until the deadline (``MonotonicClock``). The program has an empty
  /// environment, and `input` is its standard input. `errors` is its standard error, or `nil` for that of this
  /// process. After an error, the program is killed and reaped.
  package static func run(
    _ path: String,
    _ arguments: [String],
    input: Int32,
    errors: Int32? = nil,
    until deadline: UInt64,
    limit: Int = 1 << 20
  ) throws(SystemCallError) -> Result {
    let pipe = try Pipe.make()
    let process = try spawn(path, arguments, [input, pipe.writeEnd.rawValue] + (errors.map { [$0] } ?? []))
    let reading = pipe.takeReadEnd()
    let handle = try ProcessHandle.openChild(process, orKill: process)
    do throws(SystemCallError) {
      let output = try read(reading, until: deadline, limit: limit)
      let found = try Poller.wait([(handle.descriptor.rawValue, .readable)], until: deadline)
      let isInTime = found.first?.contains(.readable) == true
      if !isInTime { try handle.send(.kill) }
      let status = try handle.reap()
      return Result(status: isInTime ? status : nil, output: output)
    } catch {
      try? handle.send(.kill)
      _ = try? handle.reap()
      throw error
    }
  }

  /// Returns the bytes up to the end, the limit or the deadline.
  private static func read(
    _ reading: borrowing Descriptor,
    until deadline: UInt64,
    limit: Int
  ) throws(SystemCallError) -> [UInt8] {
    var output: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 16)
    defer { chunk.deallocate() }
    while output.count < limit {
      let found = try Poller.wait([(reading.rawValue, .readable)], until: deadline)
      guard found.first?.isEmpty == false, case .bytes(let count) = try reading.read(into: chunk) else {
        break
      }
      output += chunk[..<count]
    }
    return output
  }

  /// Starts the program with descriptors from number 0, and returns its process ID.
  private static func spawn(
    _ path: String,
    _ arguments: [String],
    _ descriptors: [Int32]
  ) throws(SystemCallError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of this process may block every signal, and the program would inherit the mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var process = pid_t()
    let result = posix_spawn(&process, path, &actions, &attributes, words, environment)
    guard result == 0 else {
      throw SystemCallError("posix_spawn", path: path, errno: Errno(rawValue: result))
    }
    return process
  }
}
