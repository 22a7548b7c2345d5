// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Whether everything is tried and not only what fits into a gate's time.
let triesEverything = CurrentProcess.environment("DARKROOM_TESTS_LONG") != nil

/// How long one case may take.
let longestWalk = TimeLimitTrait.Duration.minutes(triesEverything ? 600 : 20)

/// A directory for the tests of one suite, and the programs that they run.
final class FaultBench: Sendable {
  /// The directory. In memory where that is possible: nothing here depends on a disk, and there are thousands of roots.
  let directory: String
  /// Where the build has put the programs.
  let programs: String

  init() throws {
    programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    let memory = "/dev/shm"
    let free = (try? FileSystem.freeSpace(memory)) ?? 0
    let place = free > 1 << 28 ? memory : CurrentProcess.environment("TMPDIR") ?? "/tmp"
    directory = "\(place)/darkroom-faults-\(Randomness.hexadecimal(bytes: 6))"
    try FileSystem.makeDirectory(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// The path of a program that the build has made.
  func program(_ name: String) -> String { "\(programs)/\(name)" }

  /// What a shell script came to.
  struct Outcome: Sendable {
    /// The exit code; 124 if it took too long.
    var code: Int32
    /// What it wrote, to standard error too.
    var output: String
  }

  /// Runs a script with these arguments, `$1` and so on.
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

  /// Runs the store worker on the root of a place, and requires that it does what was ordered.
  func work(_ place: String, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try shell(
      "mkdir -p \"$1/t\"; MARK=\"$1/marks\"; export MARK; w=$2; p=$1; shift 2; exec \"$w\" \"$p/t/root\" \"$@\"",
      [place, program("darkroom-store-worker")] + words
    )
    try #require(outcome.code == 0, "\(words): \(outcome.output)", sourceLocation: sourceLocation)
  }
}

/// Does work for each element on two threads, and gives what came of it in order.
///
/// On threads of their own, because all of them wait for processes: the task pool would be held up.
func inPairs<Element: Sendable, Product: Sendable>(
  _ elements: [Element],
  _ body: @escaping @Sendable (Element) -> Product
) throws -> [Product] {
  let desk = WorkDesk<Element, Product>(elements)
  let threads = try (0..<2).map { _ in
    Joined(try PlainThread.start(name: "faults") { while let next = desk.next() { desk.put(next, body) } })
  }
  for thread in threads { thread.join() }
  return desk.results()
}

/// A thread in an array, which holds no noncopyable values.
private final class Joined {
  private var thread: PlainThread?

  init(_ thread: consuming PlainThread) { self.thread = consume thread }

  /// Waits for its end.
  func join() { thread.take()?.join() }
}
