// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Synchronization
import Testing

/// Attributes that a thread can have separately from its process.
@Suite struct ThreadContextTests {
  @Test func `a thread has its own working directory and file mode mask`() throws {
    let before = try CurrentProcess.workingDirectory()
    let directory = HeldDescriptor(try FileSystem.open("/proc", [.path, .directory]))
    let seen = Mutex<[String]>([])
    try runInPlainThread {
      try? ThreadContext.adopt(directory: directory.rawValue, mask: 0o027)
      let own = try? CurrentProcess.workingDirectory()
      seen.withLock { $0 += [own ?? "?", "\(CurrentProcess.fileMask)"] }
    }
    #expect(seen.withLock { $0 } == ["/proc", "\(0o027)"])
    #expect(try CurrentProcess.workingDirectory() == before)
  }

  /// Returns the processors in a kernel affinity mask.
  private static func members(_ set: [UInt8]?) -> Set<Int> {
    let bytes: [UInt8] = set ?? []
    return Set((0..<bytes.count * 8).filter { bytes[$0 / 8] & 1 << UInt8($0 % 8) != 0 })
  }

  /// Returns the affinity of this thread and of a companion thread that it starts.
  private static func processorsOfCompanion() throws -> (own: Set<Int>, beside: Set<Int>) {
    let own = members(ThreadContext.processors)
    let seen = Mutex<[UInt8]?>(nil)
    try PlainThread.start(name: "beside", place: .otherProcessor) {
      seen.withLock { $0 = ThreadContext.processors }
    }
    .join()
    return (own, members(seen.withLock { $0 }))
  }

  @Test func `a companion thread runs on another processor if available`() throws {
    let seen = try Self.processorsOfCompanion()
    try #require(!seen.own.isEmpty)
    #expect(seen.beside.isSubset(of: seen.own))
    #expect(seen.beside.count == max(1, seen.own.count - 1))
  }

  @Test func `a companion thread runs on the only processor if there is no other`() throws {
    let first = try #require(Self.members(ThreadContext.processors).min())
    let process = try start(["/usr/bin/taskset", "-c", "\(first)", "/bin/sleep", "100"])
    defer {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    let seen = Mutex<(own: Set<Int>, beside: Set<Int>)?>(nil)
    try runInPlainThread {
      while Self.members(ThreadContext.processors) != [first] {
        try? ThreadContext.copyAffinity(of: process)
        MonotonicClock.sleep(milliseconds: 1)
      }
      let found = try? Self.processorsOfCompanion()
      seen.withLock { $0 = found }
    }
    let found = try #require(seen.withLock { $0 })
    #expect(found.own == [first] && found.beside == [first])
  }

  @Test func `an interrupted thread retries its write on the replaced descriptor`() throws {
    let pipe = try Pipe.make()
    let full = [UInt8](repeating: 0, count: 1 << 20)
    let write = HeldDescriptor(try pipe.writeEnd.duplicate())
    let thread = Mutex<Int32>(0)
    let isFinished = Atomic(false)
    let nothing = try FileSystem.open("/dev/null", .readWrite)
    let waiting = try PlainThread.start(name: "writer") {
      ThreadInterrupt.allow()
      thread.withLock { $0 = CurrentProcess.threadID }
      try? Descriptor.write(full, toNumber: write.rawValue)
      isFinished.store(true, ordering: .releasing)
    }
    while thread.withLock({ $0 }) == 0 { MonotonicClock.sleep(milliseconds: 1) }
    let isFinishedAtOnce = isFinished.load(ordering: .acquiring)
    #expect(!isFinishedAtOnce)
    try nothing.replace(write.rawValue)
    while !isFinished.load(ordering: .acquiring) {
      ThreadInterrupt.send(to: thread.withLock { $0 })
      MonotonicClock.sleep(milliseconds: 1)
    }
    waiting.join()
    _ = consume pipe
  }

  @Test func `detects each restriction in which another process differs from this one`() throws {
    let own = try #require(ProcessAttributes.of(CurrentProcess.processID))
    #expect(own.difference(to: own) == nil)
    #expect(own.facts.count == 37)
    #expect(ProcessAttributes.of(0) == nil)
    for (words, fact) in [
      (["/usr/bin/setpriv", "--no-new-privs"], "no_new_privs"),
      (["/usr/bin/nice", "-n", "3"], "the nice value"),
      (["/usr/bin/prlimit", "--nofile=77:77"], "the limit on descriptors"),
      (["/usr/bin/setarch", "-R"], "the personality"),
      (["/usr/bin/choom", "-n", "1000", "--"], "the OOM score adjustment"),
    ] {
      let process = try start(words + ["/bin/sleep", "100"])
      defer {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
      }
      // The attributes differ once the process has applied its restriction. Those of this process are read each
      // time, because other tests can change them meanwhile.
      var difference: String?
      while difference == nil {
        MonotonicClock.sleep(milliseconds: 1)
        let own = try #require(ProcessAttributes.of(CurrentProcess.processID))
        difference = ProcessAttributes.of(process).flatMap { own.difference(to: $0) }
      }
      #expect(difference == fact)
    }
  }

  /// Starts a program and returns its PID.
  private func start(_ words: [String]) throws -> pid_t {
    let arguments = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    try #require(posix_spawn(&process, words[0], nil, nil, arguments, [nil]) == 0)
    return process
  }

  /// Runs a function on a plain thread and waits for its exit.
  private func runInPlainThread(_ body: @escaping @Sendable () -> Void) throws {
    let thread = try PlainThread.start(name: "test", body)
    thread.join()
  }
}
