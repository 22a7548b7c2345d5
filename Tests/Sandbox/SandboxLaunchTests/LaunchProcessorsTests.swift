// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import Synchronization
import TestSupport
import Testing

/// Processor affinity: a launch temporarily pins three processes and must restore the affinity of its host.
@Suite struct LaunchProcessorsTests {
  /// The creator of the session init.
  enum LaunchMode: CaseIterable {
    case alone, broker, reusedNetwork
  }

  /// The affinity that a launch leaves: of the session, and of the thread before and after.
  private struct Observation {
    var session: [String] = []
    var thread = "", after = ""
  }

  /// Returns the affinity of the calling thread.
  private static func allowedProcessors() throws -> String {
    let status = String(decoding: try FileSystem.contents("/proc/thread-self/status") ?? [], as: UTF8.self)
    return String(try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }))
  }

  /// Pins the calling thread to its first processor.
  private static func pinToFirstProcessor() throws {
    // Swift's Glibc module does not export sched_setaffinity(2).
    typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer) -> Int32
    let setAffinity = unsafeBitCast(try #require(dlsym(nil, "sched_setaffinity")), to: SetAffinity.self)
    let all = try #require(ThreadContext.processors)
    let first = try #require(all.firstIndex { $0 != 0 })
    var set = [UInt8](repeating: 0, count: all.count)
    set[first] = all[first] & (~all[first] + 1)
    #expect(setAffinity(0, set.count, set) == 0)
  }

  /// Returns the mounts of a session that a separate thread launches, without mount IDs, which differ.
  private static func mounts(confined: Bool) throws -> [String] {
    let found = Mutex<Result<[String], any Error>>(.success([]))
    let thread = try PlainThread.start(name: "mounts") {
      let result = Result {
        if confined { try pinToFirstProcessor() }
        let pipe = try Pipe.make()
        var plan = SandboxLauncherTests.plan("cat /proc/self/mountinfo", output: pipe.writeEnd.rawValue)
        plan.isolation.mountTable = .shown
        let process = try SandboxLauncher.launch(plan)
        let output = try pipe.takeReadEnd().readAll(limit: 1 << 16) ?? []
        _ = try process.reap()
        return output.split(separator: UInt8(ascii: "\n")).map {
          $0.split(separator: UInt8(ascii: " ")).dropFirst(3).prefix(3)
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }
      }
      found.withLock { $0 = result }
    }
    thread.join()
    return try found.withLock { try $0.get() }
  }

  /// Without a concurrent process, the init detaches the host's mounts itself.
  @Test func `a session on one processor has the same mounts as on many`() throws {
    let mounts = try Self.mounts(confined: false)
    try #require(!mounts.isEmpty)
    #expect(try Self.mounts(confined: true) == mounts)
  }

  /// Launches several times from a separate thread.
  private static func launch(_ mode: LaunchMode, confined: Bool, times: Int) throws -> [Observation] {
    let line = "grep Cpus_allowed: /proc/self/status; grep Cpus_allowed: /proc/1/status"
    let found = Mutex<Result<[Observation], any Error>>(.success([]))
    let thread = try PlainThread.start(name: "launches") {
      let result = Result {
        if confined { try pinToFirstProcessor() }
        return try LaunchBrokerTests.withDirectory { content in
          let broker = mode == .broker ? try LaunchBroker() : nil
          let reusedNetwork = mode == .reusedNetwork ? try ReusedNetworkLauncher() : nil
          return try (0..<times).map { _ in
            var found = Observation()
            found.thread = try allowedProcessors()
            let text =
              if let broker {
                try LaunchBrokerTests.brokered(broker) {
                  try LaunchBrokerTests.run(line, content: content, by: broker.launch)
                }
              } else if let reusedNetwork {
                try LaunchBrokerTests.run(line, content: content, by: reusedNetwork.launch)
              } else {
                try LaunchBrokerTests.run(line, content: content) { try SandboxLauncher.launch($0) }
              }
            found.session = text.split(separator: "\n").map(String.init)
            found.after = try allowedProcessors()
            return found
          }
        }
      }
      found.withLock { $0 = result }
    }
    thread.join()
    return try found.withLock { try $0.get() }
  }

  @Test(arguments: LaunchMode.allCases, [false, true])
  func `a launch keeps the processor affinity of its thread and passes it to the session`(
    mode: LaunchMode,
    confined: Bool
  ) throws {
    for found in try Self.launch(mode, confined: confined, times: 3) {
      #expect(found.after == found.thread)
      #expect(found.session == [found.thread, found.thread])
    }
  }

  @Test(arguments: LaunchMode.allCases)
  func `a launch succeeds while every processor is busy`(mode: LaunchMode) throws {
    let stopped = StopFlag()
    let threads = try (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in
      JoinableThread(try PlainThread.start(name: "busy") { while !stopped.isSet.load(ordering: .relaxed) {} })
    }
    defer {
      stopped.isSet.store(true, ordering: .relaxed)
      for thread in threads { thread.join() }
    }
    for found in try Self.launch(mode, confined: false, times: 5) {
      #expect(found.after == found.thread)
      #expect(found.session == [found.thread, found.thread])
    }
  }

  /// A flag that threads share.
  private final class StopFlag: Sendable {
    let isSet = Atomic(false)
  }

  /// A thread in a class, because an array cannot hold noncopyable values.
  private final class JoinableThread {
    private var thread: PlainThread?
    init(_ thread: consuming PlainThread) { self.thread = consume thread }
    func join() { thread.take()?.join() }
  }
}
