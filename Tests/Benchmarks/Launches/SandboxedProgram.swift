// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import SandboxLaunch

/// The payload in Darkroom's sandbox.
final class SandboxedProgram: LaunchedProgram {
  /// Nil once it was waited for.
  private var process: SandboxedProcess?
  /// How long the parts of the launch took.
  let timings: [LaunchTiming]
  /// What planning took, in nanoseconds.
  let planning: UInt64
  /// What the launch took after planning, in nanoseconds.
  let launching: UInt64
  /// What of it was Swift, around the C steps: memory for the plan, pipes, reading what came of it.
  let marshalling: UInt64

  /// Plans and launches.
  init(_ planner: LaunchPlanner, _ subject: LaunchSubject, _ session: LaunchPlanner.Session) throws {
    let planned = try nanoseconds { try planner.plan(subject, session) }
    planning = planned.time
    let began = MonotonicClock.now
    let process = try SandboxLauncher.launch(planned.result)
    launching = MonotonicClock.now - began
    timings = process.timings
    // The parts follow each other without a gap.
    let inC = timings.reduce(0) { $0 + $1.nanoseconds }
    marshalling = launching > inC ? launching - inC : 0
    self.process = consume process
  }

  /// Waits until no process of the session is left.
  func finish() throws {
    guard let process = process.take() else { return }
    let status = try process.reap().status
    guard status == .exited(0) else { throw BenchmarkError.wrongEnd("the payload in the sandbox", status) }
  }
}
