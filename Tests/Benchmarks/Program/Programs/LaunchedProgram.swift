// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A running program that must be reaped.
protocol LaunchedProgram: Sendable {
  /// The started process, the ancestor of all others.
  var processID: Int32 { get }
  /// Kills the program.
  func kill() throws
  /// Waits until no process of the program is left and returns its exit status.
  func reap() throws -> ExitStatus
}

extension LaunchedProgram {
  /// Waits for the exit and throws unless the program succeeded.
  func finish(_ name: String) throws {
    let status = try reap()
    guard status == .exited(0) else { throw BenchmarkError.unexpectedExit(name, status) }
  }
}

/// The reasons for a failed measurement.
enum BenchmarkError: Error, CustomStringConvertible {
  /// The static C program cannot be compiled.
  case noCompiler(String)
  /// A launched program exited with an unexpected status.
  case unexpectedExit(String, ExitStatus)
  /// A launched program wrote no output.
  case noOutput(String)
  /// A file has unexpected contents.
  case unexpectedContents(String)

  var description: String {
    switch self {
    case .noCompiler(let source):
      "no C compiler makes a static program of \(source): install gcc and libc6-dev"
    case .unexpectedExit(let name, let status):
      "\(name) exited with status \(status); run the program by hand to see why"
    case .noOutput(let name): "\(name) wrote no output; run the program by hand to see why"
    case .unexpectedContents(let path): "\(path) is not what was expected"
    }
  }
}
