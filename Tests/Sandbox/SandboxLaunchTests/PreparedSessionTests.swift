// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import TestSupport
import Testing

/// Prepared processes of a broker: each is used once or terminated, and never leaked.
@Suite struct PreparedSessionTests {
  /// Whether a process exists, including a zombie that is not reaped.
  private static func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// Returns a broker with a prepared session, and the PID of its init.
  private static func makeBroker(_ plan: LaunchPlan) throws -> (broker: LaunchBroker, process: Int32) {
    let broker = try LaunchBroker()
    for _ in 0..<50 { if broker.prepare(plan) { break } }
    return (broker, try #require(broker.waitingInit))
  }

  /// Runs a check with a plan.
  private static func withPlan(_ body: (LaunchPlan) throws -> Void) throws {
    try LaunchBrokerTests.withDirectory { content in
      let null = try FileSystem.open("/dev/null", .readWrite)
      try body(LaunchBrokerTests.plan("exit 7", content: content, output: null.rawValue))
    }
  }

  @Test func `a prepared process becomes the init of exactly one session`() throws {
    try Self.withPlan { plan in
      let (broker, first) = try Self.makeBroker(plan)
      let session = try broker.launch(plan)
      #expect(session.processID == first)
      #expect(broker.waitingInit != first)
      #expect(try session.reap().status == .exited(7))
      #expect(!Self.exists(first))
      for _ in 0..<50 { if broker.prepare(plan) { break } }
      let second = try #require(broker.waitingInit)
      let next = try broker.launch(plan)
      #expect(next.processID == second)
      #expect(try next.reap().status == .exited(7))
    }
  }

  /// The broker receives the next request before a launch is complete, and they share state until then.
  /// Without a delay and with busy processors, both would use the state at the same time.
  @Test func `the broker does not prepare the next session while a launch reads the current one`() throws {
    try Self.withPlan { plan in
      let busy = "/tmp/darkroom-busy-\(Randomness.hexadecimal(bytes: 8))"
      _ = try FileSystem.open(busy, [.write, .create])
      defer { try? FileSystem.unlink(busy) }
      // At least six processes compete for the processors. Each loop pauses while enough others run: the
      // first loop at seven processes, the last at twelve.
      let loop = """
        while [ -e \(busy) ]; do
          read -r _ _ _ running _ </proc/loadavg
          [ "${running%/*}" -lt "$(($0 + 6))" ] || sleep 0.1
        done
        """
      try runShell(
        "for i in 1 2 3 4 5 6; do timeout 600 sh -c '\(loop)' $i </dev/null >/dev/null 2>&1 & done"
      )
      let broker = try LaunchBroker(delay: 0)
      for _ in 0..<50 { if broker.prepare(plan) { break } }
      for _ in 0..<100 {
        // The launch itself does not wait for a prepared session.
        for _ in 0..<10_000 where broker.waitingInit == nil && broker.end == nil {
          MonotonicClock.sleep(milliseconds: 1)
        }
        #expect(try broker.launch(plan).reap().status == .exited(7))
      }
      #expect(broker.uses > 20 && broker.end == nil)
    }
  }

  @Test func `an unused prepared session is terminated with its broker`() throws {
    try Self.withPlan { plan in
      let process: Int32
      do {
        let (broker, waiting) = try Self.makeBroker(plan)
        process = waiting
        #expect(Self.exists(process))
        withExtendedLifetime(broker) {}
      }
      #expect(!Self.exists(process))
    }
  }

  @Test func `a session prepared for another plan is terminated when the next is prepared`() throws {
    try Self.withPlan { plan in
      let (broker, process) = try Self.makeBroker(plan)
      let second = try #require(try Self.child(of: process))
      var other = plan
      other.isolation.hostname = "another"
      for _ in 0..<50 { if broker.prepare(other) { break } }
      #expect(broker.waitingInit != nil)
      #expect(broker.waitingInit != process)
      // The next session reuses their stacks, which they leave shortly before the kernel reports their exit.
      #expect(try TestTimeout.waitUntil { try Self.hasExited(process) && Self.hasExited(second) })
      #expect(broker.end == nil)
    }
  }

  @Test(arguments: [false, true])
  func `launches without the prepared session if one of its processes was killed`(isSecond: Bool) throws {
    var hasEnded = false
    // A mount of another test makes the broker prepare the session again, so that it does not notice the killed one.
    for _ in 0..<5 where !hasEnded {
      try Self.withPlan { plan in
        let (broker, process) = try Self.makeBroker(plan)
        let killed = isSecond ? try #require(try Self.child(of: process)) : process
        #expect(kill(killed, SIGKILL) == 0)
        // The exit is visible after the kernel has released the process.
        #expect(try TestTimeout.waitUntil { try Self.state(killed) == "Z" })
        let session = try broker.launch(plan)
        #expect(session.processID != process)
        #expect(try session.reap().status == .exited(7))
        #expect(!Self.exists(process))
        hasEnded = broker.end != nil
        #expect(try broker.launch(plan).reap().status == .exited(7))
      }
    }
    #expect(hasEnded)
  }

  /// Returns the state letter and the parent of a process, or an empty array if it does not exist.
  private static func stat(_ process: Int32) throws -> [String] {
    let path = "/proc/\(process)/stat"
    guard exists(process), let bytes = try? FileSystem.contents(path) else { return [] }
    let stat = String(decoding: bytes, as: UTF8.self)
    return stat.split(separator: ")").last?.split(separator: " ").prefix(2).map(String.init) ?? []
  }

  /// Returns the state letter of a process.
  private static func state(_ process: Int32) throws -> String? { try stat(process).first }

  /// Whether a process has exited, even if it is not reaped.
  private static func hasExited(_ process: Int32) throws -> Bool { [nil, "Z"].contains(try state(process)) }

  /// Returns all processes of the system.
  private static func processes() throws -> [Int32] {
    try FileSystem.names(in: "/proc").compactMap { Int32($0) }
  }

  /// Returns the process that becomes the extension: the only child of the init.
  private static func child(of process: Int32) throws -> Int32? {
    try processes().first { (try? stat($0).last) == "\(process)" }
  }

  /// Returns the broker of an init: all three processes are in the session's network namespace.
  private static func brokerProcess(of process: Int32) throws -> Int32? {
    let network = try FileSystem.linkTarget("/proc/\(process)/ns/net")
    let child = try child(of: process)
    return try processes().first {
      $0 != process && $0 != child && (try? FileSystem.linkTarget("/proc/\($0)/ns/net")) == network
    }
  }

  /// Returns the credentials and capabilities of a process from `/proc/PID/status`.
  private static func privileges(_ process: Int32) throws -> [String] {
    let status = String(decoding: try FileSystem.contents("/proc/\(process)/status") ?? [], as: UTF8.self)
    let names = ["Uid:", "Gid:", "Groups:", "Cap", "NoNewPrivs:"]
    return status.split(separator: "\n").filter { line in names.contains { line.hasPrefix($0) } }.map(
      String.init
    )
  }

  /// Returns the privileges of the session init and of its extension.
  private static func privileges(
    _ plan: LaunchPlan,
    by launch: (LaunchPlan) throws -> SandboxedProcess
  ) throws -> [[String]] {
    let session = try launch(plan)
    let process = session.processID
    let found = Result { try [privileges(process), privileges(#require(try child(of: process)))] }
    try session.kill()
    _ = try session.reap()
    return try found.get()
  }

  @Test func `processes of a session in a reused network have no more privileges than others`() throws {
    try Self.withPlan { plan in
      var plan = plan
      plan.program.arguments = ["sh", "-c", "exec sleep 600"]
      let direct = try Self.privileges(plan) { try SandboxLauncher.launch($0) }
      let launcher = try ReusedNetworkLauncher()
      let reusedNetwork = try Self.privileges(plan) { plan in
        let session = try launcher.launch(plan)
        let isReused = session.hasReusedNetwork
        #expect(isReused)
        return session
      }
      #expect(reusedNetwork == direct)
    }
  }

  @Test func `processes of a prepared session have no more privileges than others`() throws {
    try Self.withPlan { plan in
      var plan = plan
      plan.program.arguments = ["sh", "-c", "exec sleep 600"]
      let (broker, waiting) = try Self.makeBroker(plan)
      // While it waits, the process has the necessary capabilities but an empty bounding set.
      #expect(try Self.privileges(waiting).contains("CapBnd:\t0000000000000000"))
      let direct = try Self.privileges(plan) { try SandboxLauncher.launch($0) }
      // A mount by another process makes the broker discard the prepared session.
      var brokered: [[String]] = []
      for _ in 0..<50 where broker.uses == 0 {
        brokered = try Self.privileges(plan, by: broker.launch)
        if broker.uses == 0 { _ = broker.prepare(plan) }
      }
      #expect(broker.uses == 1)
      #expect(brokered == direct)
      for process in direct {
        #expect(process.count == 9 && process.last == "NoNewPrivs:\t1", "\(process)")
        #expect(process.filter { $0.hasPrefix("Cap") }.allSatisfy { $0.hasSuffix("\t0000000000000000") })
      }
    }
  }

  @Test func `a file that another process still holds open for writing only delays the session`() throws {
    try Self.withPlan { plan in
      var plan = plan
      plan.root.append(.file("note", contents: Array("note".utf8)))
      // A mount by another process makes the broker discard the prepared session.
      for _ in 0..<50 {
        let (broker, process) = try Self.makeBroker(plan)
        let second = try #require(try Self.child(of: process))
        // Simulates a process that a concurrent thread has forked while the broker wrote the file. Only root
        // may open a read-only file for writing.
        let note = "/proc/\(second)/root/note"
        try runShell("chmod 0644 \(note) && exec 3<>\(note) && chmod 0444 \(note) && { sleep 0.2 & }")
        #expect(try broker.launch(plan).reap().status == .exited(7))
        if broker.uses == 1 { return }
      }
      Issue.record("the broker has discarded each prepared session")
    }
  }

  @Test func `a prepared session is terminated if its broker is killed`() throws {
    try Self.withPlan { plan in
      let (broker, process) = try Self.makeBroker(plan)
      #expect(kill(try #require(try Self.brokerProcess(of: process)), SIGKILL) == 0)
      #expect(TestTimeout.waitUntil { broker.end != nil })
      #expect(try TestTimeout.waitUntil { try Self.state(process) == "Z" })
      #expect(try broker.launch(plan).reap().status == .exited(7))
    }
  }
}
