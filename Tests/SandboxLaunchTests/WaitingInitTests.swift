// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import TestSupport
import Testing

/// The first process of a session that a broker has made ahead: it is used once, or ended, and never left.
@Suite struct WaitingInitTests {
  /// Whether there is a process, also one that has ended and that nobody has taken.
  private static func isThere(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// A broker that has one waiting.
  private static func ready(_ plan: LaunchPlan) throws -> (broker: LaunchBroker, process: Int32) {
    let broker = try LaunchBroker()
    for _ in 0..<50 { if broker.prepare(plan) { break } }
    return (broker, try #require(broker.waiting))
  }

  /// Runs something with a plan.
  private static func withPlan(_ body: (LaunchPlan) throws -> Void) throws {
    try LaunchBrokerTests.withDirectory { content in
      let null = try FileSystem.open("/dev/null", .readWrite)
      try body(LaunchBrokerTests.plan("exit 7", content: content, output: null.rawValue))
    }
  }

  @Test func `it becomes the init of one session, and the next one is another`() throws {
    try Self.withPlan { plan in
      let (broker, first) = try Self.ready(plan)
      let session = try broker.launch(plan)
      #expect(session.processID == first)
      #expect(broker.waiting != first)
      #expect(try session.reap().status == .exited(7))
      #expect(!Self.isThere(first))
      for _ in 0..<50 { if broker.prepare(plan) { break } }
      let second = try #require(broker.waiting)
      let next = try broker.launch(plan)
      #expect(next.processID == second)
      #expect(try next.reap().status == .exited(7))
    }
  }

  @Test func `one that nobody has used is gone with its broker`() throws {
    try Self.withPlan { plan in
      let process: Int32
      do {
        let (broker, waiting) = try Self.ready(plan)
        process = waiting
        #expect(Self.isThere(process))
        withExtendedLifetime(broker) {}
      }
      #expect(!Self.isThere(process))
    }
  }

  @Test func `one that was made for something else is gone when the next is made`() throws {
    try Self.withPlan { plan in
      let (broker, process) = try Self.ready(plan)
      var other = plan
      other.hostname = "another"
      for _ in 0..<50 { if broker.prepare(other) { break } }
      #expect(broker.waiting != nil)
      #expect(broker.waiting != process)
      #expect([nil, "Z"].contains(try Self.state(process)))
    }
  }

  @Test func `one that somebody has killed is done without`() throws {
    try Self.withPlan { plan in
      let (broker, process) = try Self.ready(plan)
      #expect(kill(process, SIGKILL) == 0)
      // Its end is there when the kernel has cleared what tells of it.
      #expect(try TestPatience.comes { try Self.state(process) == "Z" })
      let session = try broker.launch(plan)
      #expect(session.processID != process)
      #expect(try session.reap().status == .exited(7))
      #expect(!Self.isThere(process))
      #expect(broker.end != nil)
      #expect(try broker.launch(plan).reap().status == .exited(7))
    }
  }

  /// The letter that the kernel has for what a process does.
  private static func state(_ process: Int32) throws -> String? {
    let stat = String(decoding: try FileSystem.contents("/proc/\(process)/stat") ?? [], as: UTF8.self)
    return stat.split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }

  /// The broker that has made it: both have the network of the session.
  private static func maker(of process: Int32) throws -> Int32? {
    let network = try FileSystem.linkTarget("/proc/\(process)/ns/net")
    return try FileSystem.names(in: "/proc").compactMap { Int32($0) }.first {
      $0 != process && (try? FileSystem.linkTarget("/proc/\($0)/ns/net")) == network
    }
  }

  @Test func `it ends when somebody has killed its broker`() throws {
    try Self.withPlan { plan in
      let (broker, process) = try Self.ready(plan)
      #expect(kill(try #require(try Self.maker(of: process)), SIGKILL) == 0)
      #expect(TestPatience.comes { broker.end != nil })
      #expect(try TestPatience.comes { try Self.state(process) == "Z" })
      #expect(try broker.launch(plan).reap().status == .exited(7))
    }
  }
}
