// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A launch method: bare, in Darkroom's sandbox, or in the sandbox of a peer.
struct Launcher: Sendable {
  /// The name in tables.
  let name: String
  /// The writable directory, as the program sees it.
  let directory: String
  /// The effect on the program if the started process is killed.
  let killEffect: LauncherKillEffect
  private let launch: Launch
  private let prepare: @Sendable () throws -> Void

  /// Starts a payload with arguments and its standard input and output.
  typealias Launch =
    @Sendable (_ payload: Payload, _ arguments: [String], _ input: Int32, _ output: Int32) throws ->
    any LaunchedProgram

  /// Creates a launcher.
  ///
  /// - Parameters:
  ///   - name: The name in tables.
  ///   - directory: The writable directory, as the program sees it.
  ///   - killEffect: The effect on the program if the started process is killed.
  ///   - prepare: Prepares resources before a launch is requested.
  ///   - launch: Starts a payload.
  init(
    _ name: String,
    directory: String,
    killEffect: LauncherKillEffect = .terminatesProgram,
    prepare: @escaping @Sendable () throws -> Void = {},
    _ launch: @escaping Launch
  ) {
    self.name = name
    self.directory = directory
    self.killEffect = killEffect
    self.prepare = prepare
    self.launch = launch
  }

  /// The effect on a program if its launcher is killed.
  enum LauncherKillEffect {
    /// The program is terminated, too.
    case terminatesProgram
    /// The program continues.
    case leavesProgram
    /// The program continues, and is not a descendant of the launcher.
    case leavesUnrelatedProgram
  }

  func start(
    _ payload: Payload,
    _ arguments: [String] = [],
    input: Int32,
    output: Int32
  ) throws -> any LaunchedProgram {
    try launch(payload, arguments, input, output)
  }
}

extension Launcher {
  /// Nanoseconds since the launch.
  struct Times {
    /// Until the first byte of the program arrived.
    var firstByte: UInt64
    /// Until no process was left.
    var reaped: UInt64
  }

  /// The pause before a launch.
  enum Rest: UInt64 {
    /// Until the resources of the last launch are released, in milliseconds. Removing a network namespace
    /// takes the kernel 31 ms and delays the creation of the next one. After the pause, the caches contain
    /// nothing of either launch.
    case long = 40
    /// Consecutive launches.
    case none = 0
  }

  /// Prepares, pauses, and measures a launch.
  func timeAfterPause(
    _ payload: Payload,
    input: Int32,
    _ rest: Rest = .long
  ) throws -> (times: Times, program: any LaunchedProgram) {
    try prepare()
    if rest != .none { try Pause.milliseconds(rest.rawValue) }
    return try time(payload, input: input)
  }

  /// Launches a program that writes a byte and waits for its exit.
  func time(_ payload: Payload, input: Int32) throws -> (times: Times, program: any LaunchedProgram) {
    let pipe = try Pipe.make()
    let began = MonotonicClock.now
    let program = try start(payload, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    let hasOutput = try Self.waitForByte(output)
    let first = MonotonicClock.now
    try program.finish(name)
    let reaped = MonotonicClock.now
    guard hasOutput else { throw BenchmarkError.noOutput(name) }
    return (Times(firstByte: first - began, reaped: reaped - began), program)
  }

  /// Waits for the first byte. Returns `false` at the end of the output.
  static func waitForByte(_ output: borrowing Descriptor) throws -> Bool {
    var byte: UInt8 = 0
    return try withUnsafeMutableBytes(of: &byte) { try output.read(into: $0) } == .bytes(1)
  }

  /// Runs a program to its exit and returns its output.
  func output(_ payload: Payload, _ arguments: [String], input: Int32) throws -> String {
    let pipe = try Pipe.make()
    let program = try start(payload, arguments, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    let text = try output.readAll(limit: 1 << 16) ?? []
    try program.finish(name)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").joined(separator: " ")
  }
}
