// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A program that runs and has to be waited for.
protocol LaunchedProgram: Sendable {
  /// The process that was started, of which all others descend.
  var processID: Int32 { get }
  /// Ends it at once.
  func kill() throws
  /// Waits until nothing is left of it, and says how it ended.
  func reap() throws -> ExitStatus
}

extension LaunchedProgram {
  /// Waits until it has ended, and sees that it did what it is there for.
  func finish(_ name: String) throws {
    let status = try reap()
    guard status == .exited(0) else { throw BenchmarkError.wrongEnd(name, status) }
  }
}

/// Why nothing could be measured.
enum BenchmarkError: Error, CustomStringConvertible {
  /// There is no static C program.
  case noCompiler(String)
  /// A launched program did not do what it is there for.
  case wrongEnd(String, ExitStatus)
  /// A launched program wrote nothing.
  case silent(String)
  /// A file has other contents than it should.
  case strange(String)

  /// A sentence.
  var description: String {
    switch self {
    case .noCompiler(let source):
      "no C compiler makes a static program of \(source): install gcc and libc6-dev"
    case .wrongEnd(let name, let status): "\(name) ended with \(status): run it by hand to see why"
    case .silent(let name): "\(name) wrote nothing: run it by hand to see why"
    case .strange(let path): "\(path) is not what was expected"
    }
  }
}
