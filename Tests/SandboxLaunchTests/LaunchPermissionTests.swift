// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Synchronization
import TestSupport
import Testing

/// What holds a program back until the host has done what has to come first.
@Suite struct LaunchPermissionTests {
  /// How a session comes to be; each has its processes begin in another way.
  enum Way: CaseIterable {
    /// By the host alone.
    case direct
    /// By the host, with another session's network, so that both processes work beside each other.
    case beside
    /// By a broker, whose processes have waited.
    case broker
    /// Without namespaces. No planner plans that for root, and the launcher does it all the same.
    case restricted
    /// Stopped before its first instruction, for a debugger.
    case stopped

    /// Launches.
    func launch(_ plan: LaunchPlan, _ permission: LaunchPermission) throws -> SandboxedProcess {
      var plan = plan
      switch self {
      case .direct: break
      case .beside: return try BesideLauncher().launch(plan, permission)
      case .broker:
        let broker = try LaunchBroker()
        for _ in 0..<50 { if broker.prepare(plan) { break } }
        let process = try broker.launch(plan, permission: permission)
        #expect(broker.uses == 1)
        return process
      case .restricted:
        plan.identity = .restricted
        plan.namespaces = []
      case .stopped: plan.start = .stopped
      }
      return try SandboxLauncher.launch(plan, permission: permission)
    }
  }

  @Test(arguments: Way.allCases)
  func `no program runs before the host lets it`(way: Way) throws {
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
      let process = try way.launch(plan, permission)
      #expect(!hasRun.withLock { $0 }, "the program has run without the permission")
      if way == .stopped { try process.signalExtension(.resume) }
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 100) == Array("ran\n".utf8))
      #expect(try process.reap().status == .exited(7))
    }
  }

  @Test(arguments: Way.allCases)
  func `a program that may not run never does, and nothing of its session is left`(way: Way) throws {
    try LaunchBrokerTests.withDirectory { content in
      let pipe = try Pipe.make()
      let plan = LaunchBrokerTests.plan("echo ran", content: content, output: pipe.writeEnd.rawValue)
      let error = #expect(throws: SandboxLaunchError.self) {
        _ = try way.launch(plan, LaunchPermission { false }).reap()
      }
      guard case .child(let failure) = error else {
        Issue.record("the launch should have failed")
        return
      }
      #expect(failure.step == "awaitPermission" && failure.errno.name == "ECANCELED", "\(failure)")
      // Its end comes when no process has it any more.
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 100) == [])
    }
  }

  @Test func `a session that fails before it is permitted says why`() throws {
    let null = try FileSystem.open("/dev/null", .readWrite)
    var plan = SandboxLauncherTests.plan("true", output: null.rawValue)
    plan.workingDirectory = "/no-such-directory"
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
