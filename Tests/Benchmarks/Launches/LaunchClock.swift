// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A program that runs and has to be waited for.
protocol LaunchedProgram {
  /// Waits until it has ended well.
  func finish() throws
}

/// Measures a launch from outside.
enum LaunchClock {
  /// Nanoseconds from before the launch.
  struct Times {
    /// Until the first byte that the program wrote was here.
    var firstByte: UInt64
    /// Until nothing was left of it.
    var reaped: UInt64
  }

  /// Launches a program that writes to the descriptor it is given, and waits for its end.
  static func time<Program: LaunchedProgram>(
    _ name: String,
    _ launch: (_ output: Int32) throws -> Program
  ) throws -> (times: Times, program: Program) {
    let pipe = try Pipe.make()
    let began = MonotonicClock.now
    let program = try launch(pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    var byte: UInt8 = 0
    let outcome = try withUnsafeMutableBytes(of: &byte) { try output.read(into: $0) }
    let first = MonotonicClock.now
    try program.finish()
    let reaped = MonotonicClock.now
    guard outcome == .bytes(1) else { throw BenchmarkError.silent(name) }
    return (Times(firstByte: first - began, reaped: reaped - began), program)
  }
}
