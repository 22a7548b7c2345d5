// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import Synchronization

/// Who carries a plan out.
enum LaunchWay: Sendable {
  /// The host alone, from the plan to the program.
  case direct
  /// The host with a process that has made ahead what does not depend on the session.
  case brokered(LaunchBroker)

  /// What it is called in the tables.
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

  /// Carries the plan out.
  fileprivate func launch(_ plan: LaunchPlan) throws -> SandboxedProcess {
    switch self {
    case .direct: try SandboxLauncher.launch(plan)
    case .brokered(let broker): try broker.launch(plan)
    }
  }
}

/// A program in Darkroom's sandbox: the one place where the benchmarks launch anything in it.
final class SandboxedProgram: LaunchedProgram {
  /// The session's init.
  let processID: Int32
  /// Nil once it was waited for.
  private let process: Mutex<Held>
  /// How long the parts of the launch took, by name.
  let timings: [(name: String, nanoseconds: UInt64)]
  /// What planning took, in nanoseconds.
  let planning: UInt64
  /// What the launch took after planning, in nanoseconds.
  let launching: UInt64
  /// What of it was Swift, around the C steps: memory for the plan, pipes, reading what came of it.
  let marshalling: UInt64

  /// Plans and launches, in one of the ways that there are.
  init(
    _ planner: LaunchPlanner,
    _ subject: LaunchSubject,
    _ session: LaunchPlanner.Session,
    by way: LaunchWay,
    network: LaunchPlan.Network = .handedOn
  ) throws {
    let planned = try nanoseconds { try planner.plan(subject, session) }
    planning = planned.time
    var plan = planned.result
    plan.network = network
    let began = MonotonicClock.now
    let process = try way.launch(plan)
    launching = MonotonicClock.now - began
    timings = process.timings.map { ($0.name, $0.nanoseconds) }
    let inC = process.timeOfSteps
    marshalling = launching > inC ? launching - inC : 0
    processID = process.processID
    self.process = Mutex(Held(process: consume process))
  }

  func kill() throws { try process.withLock { held in try held.process?.kill() } }

  /// Waits until no process of the session is left.
  func reap() throws -> ExitStatus {
    guard let process = process.withLock({ $0.process.take() }) else { return .exited(0) }
    return try process.reap().status
  }

  /// The process, as long as it is there.
  private struct Held: ~Copyable {
    var process: SandboxedProcess?
  }
}
