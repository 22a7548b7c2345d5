// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import Synchronization

/// A method to execute a launch plan.
enum LaunchMethod: Sendable {
  /// The host executes the plan alone.
  case direct
  /// The host uses a process that has prepared everything that does not depend on the session.
  case brokered(LaunchBroker)

  /// The name in tables.
  var name: String {
    switch self {
    case .direct: Self.directName
    case .brokered: Self.brokeredName
    }
  }

  /// The name of ``direct``.
  static let directName = "SandboxLauncher"
  /// The name of ``brokered(_:)``.
  static let brokeredName = "LaunchBroker"

  /// Executes a plan.
  fileprivate func launch(_ plan: LaunchPlan) throws -> SandboxedProcess {
    switch self {
    case .direct: try SandboxLauncher.launch(plan)
    case .brokered(let broker): try broker.launch(plan)
    }
  }
}

/// A program in Darkroom's sandbox. The benchmarks launch sandboxed programs only here.
final class SandboxedProgram: LaunchedProgram {
  /// The PID of the session's init.
  let processID: Int32
  /// The process, or `nil` after reaping.
  private let process: Mutex<Held>
  /// The durations of the steps of the launch by name.
  let timings: [(name: String, nanoseconds: UInt64)]
  /// The duration of planning, in nanoseconds.
  let planning: UInt64
  /// The duration of the launch after planning, in nanoseconds.
  let launching: UInt64
  /// The part of the launch in Swift around the C steps: memory for the plan, pipes, reading the reports.
  let marshalling: UInt64

  /// Plans and launches with the given method.
  init(
    _ planner: LaunchPlanner,
    _ subject: LaunchTarget,
    _ session: LaunchPlanner.Session,
    by method: LaunchMethod,
    network: LaunchPlan.Network = .reused
  ) throws {
    let planned = try nanoseconds { try planner.plan(subject, session) }
    planning = planned.time
    var plan = planned.result
    plan.isolation.network = network
    let began = MonotonicClock.now
    let process = try method.launch(plan)
    launching = MonotonicClock.now - began
    timings = process.findings.timings.map { ($0.name, $0.nanoseconds) }
    let stepTime = process.findings.totalDuration
    marshalling = launching > stepTime ? launching - stepTime : 0
    processID = process.processID
    self.process = Mutex(Held(process: consume process))
  }

  func kill() throws { try process.withLock { held in try held.process?.kill() } }

  /// Waits until no process of the session is left.
  func reap() throws -> ExitStatus {
    guard let process = process.withLock({ $0.process.take() }) else { return .exited(0) }
    return try process.reap().status
  }

  /// A noncopyable wrapper, so that a mutex can hold the process.
  private struct Held: ~Copyable {
    var process: SandboxedProcess?
  }
}
