// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

/// The program that is launched: static, so that what is measured is the launch and not the dynamic linker.
///
/// It is compiled when the benchmark starts. As a target of the package it would not be built by
/// `swift run darkroom-benchmark`, unless the benchmark depended on it, and then `-static` would be linked into both.
enum Payload {
  private static let source = """
    #include <unistd.h>
    int main(void) { return write(1, "x", 1) == 1 ? 0 : 1; }

    """

  /// Compiles the program and gives its path.
  static func compile(into directory: String) throws -> String {
    let code = "\(directory)/payload.c"
    let program = "\(directory)/payload"
    try FileSystem.replaceContents(code, with: Array(source.utf8))
    let compilers: [String] = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"]
    guard let compiler = compilers.first(where: { access($0, X_OK) == 0 }) else {
      throw BenchmarkError.noCompiler
    }
    let words = [compiler, "-O2", "-static", code, "-o", program]
    // A compiler looks for its parts by PATH.
    let path = CurrentProcess.environment("PATH") ?? "/usr/bin:/bin"
    let process = try SpawnedProgram.start(words, environment: ["PATH=\(path)"])
    guard try process.exitStatus() == .exited(0) else { throw BenchmarkError.noCompiler }
    return program
  }
}

/// Why nothing could be measured.
enum BenchmarkError: Error, CustomStringConvertible {
  /// There is no static C program.
  case noCompiler
  /// A launched program did not do what it is there for.
  case wrongEnd(String, ExitStatus)
  /// A launched program wrote nothing.
  case silent(String)
  /// A picture could not be made.
  case picture(String)

  /// A sentence.
  var description: String {
    switch self {
    case .noCompiler: "no C compiler makes a static program here: install gcc and libc6-dev"
    case .wrongEnd(let name, let status): "\(name) ended with \(status): run it by hand to see why"
    case .silent(let name): "\(name) wrote nothing: run it by hand to see why"
    case .picture(let message): "no JPEG could be made: \(message)"
    }
  }
}
