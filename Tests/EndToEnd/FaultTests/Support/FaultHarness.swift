// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Whether all faults are injected, rather than a selection that fits the CI time limit.
let isExhaustive = CurrentProcess.environment("DARKROOM_TESTS_LONG") != nil

/// The time limit of one test case.
let campaignTimeLimit = TimeLimitTrait.Duration.minutes(isExhaustive ? 600 : 20)

/// A directory for the tests of one suite, and the paths of the programs that they run.
final class FaultHarness: Sendable {
  /// The directory, in shared memory if it has enough space: the tests create thousands of roots and need no
  /// disk.
  let directory: String
  /// The build directory of the programs.
  let programs: String

  init() throws {
    programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    let memory = "/dev/shm"
    let free = (try? FileSystem.freeSpace(memory)) ?? 0
    let base = free > 1 << 28 ? memory : CurrentProcess.environment("TMPDIR") ?? "/tmp"
    directory = "\(base)/darkroom-faults-\(Randomness.hexadecimal(bytes: 6))"
    try FileSystem.makeDirectory(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Returns the path of a built program.
  func programPath(_ name: String) -> String { "\(programs)/\(name)" }

  /// The result of a shell script.
  struct Outcome: Sendable {
    /// The exit code, or 124 after a timeout.
    var code: Int32
    /// The standard output and standard error.
    var output: String
  }

  /// Runs a shell script with positional arguments.
  func shell(_ script: String, _ arguments: [String], seconds: UInt64 = 120) throws -> Outcome {
    let empty = try FileSystem.open("/dev/null", [.read])
    let result = try ChildProgram.run(
      "/bin/sh",
      ["-c", "exec 2>&1\nPATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH\n\(script)", "sh"] + arguments,
      input: empty.rawValue,
      until: MonotonicClock.now + seconds * 1_000_000_000,
      limit: 1 << 22
    )
    var code: Int32 = 124
    if let status = result.status {
      switch status {
      case .exited(let exit): code = exit
      case .signaled(let signal): code = 128 + signal.rawValue
      }
    }
    return Outcome(code: code, output: String(decoding: result.output, as: UTF8.self))
  }

  /// Runs the store worker on the root in a directory, and requires that it succeeds.
  func runWorker(_ base: String, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let outcome = try shell(
      "mkdir -p \"$1/t\"; MARK=\"$1/marks\"; export MARK; w=$2; p=$1; shift 2; exec \"$w\" \"$p/t/root\" \"$@\"",
      [base, programPath("darkroom-store-worker")] + arguments
    )
    try #require(outcome.code == 0, "\(arguments): \(outcome.output)", sourceLocation: sourceLocation)
  }
}

/// Runs work for each element on two threads, and returns the results in order.
///
/// The work waits for processes and would block the threads of the task pool.
func mapOnTwoThreads<Element: Sendable, Product: Sendable>(
  _ elements: [Element],
  _ body: @escaping @Sendable (Element) -> Product
) throws -> [Product] {
  let queue = WorkQueue<Element, Product>(elements)
  let threads = try (0..<2).map { _ in
    JoinableThread(
      try PlainThread.start(name: "faults") { while let next = queue.next() { queue.perform(next, body) } }
    )
  }
  for thread in threads { thread.join() }
  return queue.results()
}

/// A reference to a thread for use in an array, which cannot store noncopyable values.
private final class JoinableThread {
  private var thread: PlainThread?

  init(_ thread: consuming PlainThread) { self.thread = consume thread }

  /// Waits until the thread exits.
  func join() { thread.take()?.join() }
}
