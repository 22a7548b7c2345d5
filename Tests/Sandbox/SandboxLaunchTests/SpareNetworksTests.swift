// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Testing

/// Reuse of networks by later sessions. Attacks (`ReusedNetworkTests`) check the state of reused networks.
@Suite struct SpareNetworksTests {
  /// Returns a plan that may reuse a network and runs until end of file on its input. Its filter allows
  /// everything: the network descriptor comes with the listener.
  private static func plan(_ input: Int32, _ output: Int32, session: String) -> LaunchPlan {
    var plan = LaunchBrokerTests.plan(
      "readlink /proc/self/ns/net; read line",
      content: session,
      output: output
    )
    plan.descriptors[0] = input
    plan.restrictions.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F]
    plan.restrictions.refusals = .reported
    plan.isolation.network = .reused
    return plan
  }

  /// Launches sessions concurrently and ends them one after another. Returns their networks and the number of
  /// reused ones.
  private static func networks(
    _ count: Int,
    content: String,
    change: (inout LaunchPlan) -> Void = { _ in },
    by launch: (LaunchPlan) throws -> SandboxedProcess
  ) throws -> (names: [String], reusedCount: Int) {
    let input = try Pipe.make()
    var names: [String] = []
    var reusedCount = 0
    var running: [RunningSession] = []
    for _ in 0..<count {
      let output = try Pipe.make()
      var plan = plan(input.readEnd.rawValue, output.writeEnd.rawValue, session: content)
      change(&plan)
      let process = try launch(plan)
      if process.hasReusedNetwork { reusedCount += 1 }
      var name: [UInt8] = []
      let end = output.takeReadEnd()
      while name.last != 0x0A {
        var byte: [UInt8] = [0]
        let read = try byte.withUnsafeMutableBytes { try end.read(into: $0) }
        guard read == .bytes(1) else { break }
        name += byte
      }
      names.append(String(decoding: name, as: UTF8.self))
      running.append(RunningSession(process))
    }
    _ = input.takeReadEnd()
    for session in running { try session.end() }
    return (names, reusedCount)
  }

  /// A session in a class, because an array cannot hold noncopyable values.
  private final class RunningSession {
    private var process: SandboxedProcess?

    init(_ process: consuming SandboxedProcess) { self.process = .some(process) }

    func end() throws {
      guard let process = process.take() else { return }
      try process.kill()
      _ = try process.reap()
    }
  }

  private static let isRoot = CurrentProcess.effectiveUserID == 0

  /// Runs a check with a directory and a launcher with its own spare networks, after one session unless
  /// `isNew`.
  private static func withLauncher(
    isNew: Bool = false,
    _ body: (SpareNetworks, String, (LaunchPlan) throws -> SandboxedProcess) throws -> Void
  ) throws {
    let spares = SpareNetworks()
    try LaunchBrokerTests.withDirectory { content in
      let launch: (LaunchPlan) throws -> SandboxedProcess = { try SandboxLauncher.launch($0, spares: spares) }
      if !isNew { _ = try networks(1, content: content, by: launch) }
      try body(spares, content, launch)
    }
  }

  @Test func `concurrent sessions have different networks and later sessions reuse them`() throws {
    try Self.withLauncher { _, content, launch in
      let first = try Self.networks(5, content: content, by: launch)
      #expect(Set(first.names).count == 5 && !first.names.contains(""), "\(first)")
      let second = try Self.networks(5, content: content, by: launch)
      #expect(Set(second.names).count == 5, "\(second)")
      #expect(second.reusedCount == (Self.isRoot ? 5 : 0), "\(second)")
      if Self.isRoot { #expect(Set(first.names) == Set(second.names)) }
    }
  }

  @Test func `the first session of a host keeps no network for reuse`() throws {
    try Self.withLauncher(isNew: true) { spares, content, launch in
      for kept in [0, 1] {
        _ = try Self.networks(1, content: content, by: launch)
        #expect(spares.count == (Self.isRoot ? kept : 0))
      }
    }
  }

  @Test func `keeps at most the maximum number of networks`() throws {
    try Self.withLauncher { spares, content, launch in
      let most = SpareNetworks.capacity
      _ = try Self.networks(most + 3, content: content, by: launch)
      #expect(spares.count == (Self.isRoot ? most : 0))
      #expect(
        try Self.networks(most + 3, content: content, by: launch).reusedCount == (Self.isRoot ? most : 0)
      )
    }
  }

  @Test func `a broker reuses the networks of its own sessions for any user`() throws {
    try Self.withLauncher { spares, content, _ in
      let broker = try LaunchBroker(delay: 0, spares: spares)
      var reusedCount = 0
      // Mounts of other processes make the broker start over.
      for _ in 0..<200 where reusedCount < 2 {
        _ = broker.prepare(Self.plan(0, 1, session: content))
        reusedCount += try Self.networks(1, content: content, by: broker.launch).reusedCount
      }
      #expect(reusedCount == 2)
    }
  }

  @Test func `a session without a proven filter has a new network that is not reused`() throws {
    try Self.withLauncher { spares, content, launch in
      let known = try Self.networks(2, content: content, by: launch)
      let kept = spares.count
      let changes: [(inout LaunchPlan) -> Void] = [
        { $0.isolation.network = .new }, { $0.restrictions.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F] },
        { $0.isolation.namespaces.remove(.ipc) },
        {
          let old = $0.restrictions
          $0.restrictions = .init(
            landlock: old.landlock,
            filter: old.filter + old.filter,
            refusals: old.refusals,
            lastCapability: old.lastCapability
          )
        },
        {
          let old = $0.isolation
          $0.isolation = .init(
            namespaces: old.namespaces,
            hostname: old.hostname,
            clocks: old.clocks,
            mountTable: old.mountTable
          )
        },
      ]
      for change in changes {
        let new = try Self.networks(2, content: content, change: change, by: launch)
        #expect(new.reusedCount == 0 && spares.count == kept)
        // Spare networks still exist, so that new ones cannot have their names.
        if Self.isRoot { #expect(Set(new.names).isDisjoint(with: known.names)) }
      }
    }
  }

  /// With a reused network, both processes of a session run concurrently and wait for each other.
  @Test
  func
    `a failed launch in a reused network reports its step and leaves no process or network`()
    throws
  {
    try Self.withLauncher { spares, content, launch in
      _ = try Self.networks(1, content: content, by: launch)
      let null = try FileSystem.open("/dev/null", .readWrite)
      let faults: [(step: String, make: (inout LaunchPlan) -> Void)] = [
        ("executeExtension", { $0.program.path = "/bin/no-such-program" }),
        ("changeDirectory", { $0.program.workingDirectory = "/nowhere" }),
        ("buildRoot", { $0.root.append(.bind(source: "/no/such", target: "session", [])) }),
        ("setLimit", { $0.limits.resources.append(.init(.descriptors, soft: 2, hard: 1)) }),
      ]
      for fault in faults {
        var plan = Self.plan(null.rawValue, null.rawValue, session: content)
        fault.make(&plan)
        let error = #expect(throws: SandboxLaunchError.self) { _ = try launch(plan).reap() }
        guard case .child(let failure)? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(failure.step == fault.step, "\(failure)")
        // The network of a failed launch is discarded.
        #expect(spares.count == 0)
        #expect(try Self.networks(1, content: content, by: launch).reusedCount == 0)
      }
      #expect(try Self.networks(1, content: content, by: launch).reusedCount == (Self.isRoot ? 1 : 0))
    }
  }

  @Test func `a session in the host network does not keep it for reuse`() throws {
    try Self.withLauncher { spares, content, launch in
      let host = try FileSystem.linkTarget("/proc/self/ns/net") + "\n"
      let change: (inout LaunchPlan) -> Void = { plan in
        plan.isolation.namespaces.remove(.network)
        plan.isolation.network = .reused
      }
      let shared = try Self.networks(2, content: content, change: change, by: launch)
      #expect(shared.names == [host, host] && shared.reusedCount == 0 && spares.count == 0)
    }
  }
}
