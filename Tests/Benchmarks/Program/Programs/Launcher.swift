// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A way to start a program: bare, in Darkroom's sandbox, or in that of a peer.
struct Launcher: Sendable {
  /// What it is called in the tables.
  let name: String
  /// The directory that a program may write to, as the program sees it.
  let directory: String
  /// What becomes of the program when the process that was started is killed.
  let bond: Bond
  private let launch: Launch
  private let prepare: @Sendable () throws -> Void

  /// Starts a payload with arguments and its standard input and output.
  typealias Launch =
    @Sendable (_ payload: Payload, _ arguments: [String], _ input: Int32, _ output: Int32) throws ->
    any LaunchedProgram

  /// Makes a launcher.
  ///
  /// - Parameters:
  ///   - name: What it is called in the tables.
  ///   - directory: The directory that a program may write to, as the program sees it.
  ///   - bond: What becomes of the program when the process that was started is killed.
  ///   - prepare: Makes ready what is there before anybody wants a launch.
  ///   - launch: Starts a payload.
  init(
    _ name: String,
    directory: String,
    bond: Bond = .diesTogether,
    prepare: @escaping @Sendable () throws -> Void = {},
    _ launch: @escaping Launch
  ) {
    self.name = name
    self.directory = directory
    self.bond = bond
    self.prepare = prepare
    self.launch = launch
  }

  /// What becomes of a program when its launcher is killed.
  enum Bond {
    /// It ends as well.
    case diesTogether
    /// It goes on.
    case outlives
  }

  /// Starts a payload.
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
  /// Nanoseconds from before a launch.
  struct Times {
    /// Until the first byte that the program wrote was here.
    var firstByte: UInt64
    /// Until nothing was left of it.
    var reaped: UInt64
  }

  /// How long the machine has before a launch.
  enum Rest: UInt64 {
    /// As long as it takes until what the last one has left is cleared away, in milliseconds. A network namespace takes the kernel
    /// 31, and whoever makes the next one meanwhile waits for that. By then the processor knows nothing more of either launch.
    case long = 40
    /// One launch follows the other.
    case none = 0
  }

  /// The same with everything ready, and after a pause.
  func timeRested(
    _ payload: Payload,
    input: Int32,
    _ rest: Rest = .long
  ) throws -> (times: Times, program: any LaunchedProgram) {
    try prepare()
    if rest != .none { try Pause.milliseconds(rest.rawValue) }
    return try time(payload, input: input)
  }

  /// Launches a program that writes a byte, and waits for its end.
  func time(_ payload: Payload, input: Int32) throws -> (times: Times, program: any LaunchedProgram) {
    let pipe = try Pipe.make()
    let began = MonotonicClock.now
    let program = try start(payload, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    let wrote = try Self.waitForByte(output)
    let first = MonotonicClock.now
    try program.finish(name)
    let reaped = MonotonicClock.now
    guard wrote else { throw BenchmarkError.silent(name) }
    return (Times(firstByte: first - began, reaped: reaped - began), program)
  }

  /// Waits for the first byte; false if there is none.
  static func waitForByte(_ output: borrowing Descriptor) throws -> Bool {
    var byte: UInt8 = 0
    return try withUnsafeMutableBytes(of: &byte) { try output.read(into: $0) } == .bytes(1)
  }

  /// Runs a program to its end, and gives what it wrote.
  func output(_ payload: Payload, _ arguments: [String], input: Int32) throws -> String {
    let pipe = try Pipe.make()
    let program = try start(payload, arguments, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    let text = try output.readAll(limit: 1 << 16) ?? []
    try program.finish(name)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").joined(separator: " ")
  }
}
