// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import Synchronization
import TestSupport
import Testing

/// The permission that delays a program until the host has completed its preparations.
@Suite struct LaunchPermissionTests {
  /// A launch mode; each creates the session's processes differently.
  enum LaunchMode: CaseIterable {
    /// A launch by the host.
    case direct
    /// A launch by the host with a reused network, so that both processes run concurrently.
    case reusedNetwork
    /// A launch by a broker with prepared processes.
    case broker
    /// A launch without namespaces. The planner refuses such a plan for root, but the launcher accepts it.
    case restricted
    /// A launch that stops before the first instruction, for a debugger.
    case stopped

    func launch(_ plan: LaunchPlan, _ permission: LaunchPermission) throws -> SandboxedProcess {
      var plan = plan
      switch self {
      case .direct: break
      case .reusedNetwork: return try ReusedNetworkLauncher().launch(plan, permission)
      case .broker:
        let broker = try LaunchBroker()
        for _ in 0..<50 { if broker.prepare(plan) { break } }
        let process = try broker.launch(plan, permission: permission)
        #expect(broker.uses == 1)
        return process
      case .restricted:
        plan.identity = .restricted
        plan.isolation.namespaces = []
      case .stopped: plan.program.start = .stopped
      }
      return try SandboxLauncher.launch(plan, permission: permission)
    }
  }

  @Test(arguments: LaunchMode.allCases)
  func `the program does not run before the host permits it`(mode: LaunchMode) throws {
    try LaunchBrokerTests.withDirectory { content in
      let pipe = try Pipe.make()
      let read = pipe.readEnd.rawValue
      let hasRun = Mutex(true)
      let permission = LaunchPermission {
        let found = try? Poller.wait([(read, .readable)], until: MonotonicClock.now + 300_000_000)
        hasRun.withLock { $0 = found?[0].isEmpty != true }
        return true
      }
      let plan = LaunchBrokerTests.plan("echo ran; exit 7", content: content, output: pipe.writeEnd.rawValue)
      let process = try mode.launch(plan, permission)
      #expect(!hasRun.withLock { $0 }, "the program has run without the permission")
      if mode == .stopped { try process.signalExtension(.resume) }
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 100) == Array("ran\n".utf8))
      #expect(try process.reap().status == .exited(7))
    }
  }

  @Test(arguments: LaunchMode.allCases)
  func `a program without permission never runs and its session leaves nothing`(mode: LaunchMode) throws {
    try LaunchBrokerTests.withDirectory { content in
      let pipe = try Pipe.make()
      let plan = LaunchBrokerTests.plan("echo ran", content: content, output: pipe.writeEnd.rawValue)
      let error = #expect(throws: SandboxLaunchError.self) {
        _ = try mode.launch(plan, LaunchPermission { false }).reap()
      }
      guard case .child(let failure) = error else {
        Issue.record("the launch should have failed")
        return
      }
      #expect(failure.step == "awaitPermission" && failure.errno.name == "ECANCELED", "\(failure)")
      // End of file arrives when no process holds the write end.
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 100) == [])
    }
  }

  /// Returns the process that becomes the program of a session: the only child of the init with the session
  /// ID in its arguments.
  private static func waiting(_ session: String) throws -> Int32? {
    for process in try FileSystem.names(in: "/proc").compactMap({ Int32($0) }) {
      let words = try? FileSystem.contents("/proc/\(process)/cmdline")
      guard let words, String(decoding: words, as: UTF8.self).contains(session) else {
        continue
      }
      let path = "/proc/\(process)/task/\(process)/children"
      let children = String(decoding: try FileSystem.contents(path) ?? [], as: UTF8.self)
      return children.split(separator: " ").first.flatMap { Int32($0) }
    }
    return nil
  }

  @Test func `reports a program killed while waiting for permission and leaves nothing of its session`()
    throws
  {
    let pipe = try Pipe.make()
    var plan = SandboxLauncherTests.plan("echo ran", output: pipe.writeEnd.rawValue)
    plan.restrictions.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F]
    plan.restrictions.refusals = .reported
    let session = "killed-\(Randomness.hexadecimal(bytes: 8))"
    plan.session = session
    let permission = LaunchPermission {
      TestTimeout.waitUntil { (try? Self.waiting(session)).flatMap { $0 }.map { kill($0, SIGKILL) } == 0 }
    }
    let error = #expect(throws: SandboxLaunchError.self) {
      _ = try SandboxLauncher.launch(plan, permission: permission).reap()
    }
    guard case .child(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.step == "sendListener" && failure.errno == .noSuchProcess)
    #expect(failure.description.contains("launch again"))
    let readEnd = pipe.takeReadEnd()
    #expect(try readEnd.readAll(limit: 100) == [])
  }

  @Test func `a failure before the permission reports its step`() throws {
    let null = try FileSystem.open("/dev/null", .readWrite)
    var plan = SandboxLauncherTests.plan("true", output: null.rawValue)
    plan.program.workingDirectory = "/no-such-directory"
    let error = #expect(throws: SandboxLaunchError.self) {
      _ = try SandboxLauncher.launch(plan, permission: LaunchPermission { true }).reap()
    }
    guard case .child(let failure) = error else {
      Issue.record("the child should have reported")
      return
    }
    #expect(failure.step == "changeDirectory" && failure.errno == .noSuchFile)
  }
}
