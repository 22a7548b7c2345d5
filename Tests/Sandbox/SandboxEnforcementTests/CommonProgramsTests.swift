// SPDX-License-Identifier: Apache-2.0

import Glibc
import SandboxEnforcement
import SandboxPolicy
import Testing

/// Unmodified common programs under the filter of `base`.
@Suite(.enabled(if: FilteredCommand.isPossible, "python3 is not installed"), .timeLimit(.minutes(20)))
struct CommonProgramsTests {
  /// A program with arguments and its expected output.
  struct Program: CustomTestStringConvertible, Sendable {
    var command: [String]
    /// The prefix of the last line that the program must print.
    var expectedOutput: String
    var testDescription: String { command.first ?? "" }
  }

  static let programs = [
    Program(
      command: [
        "/bin/bash", "-c",
        "d=$(mktemp -d) && cd $d && seq 3 | tee a >b && cp a c && mv c e && wait $! ; (cat <(echo sub)) "
          + "&& find . -type f | wc -l && rm -r $d && echo done",
      ],
      expectedOutput: "done"
    ),
    Program(
      command: [
        "/usr/bin/python3", "-c",
        """
        import concurrent.futures as c, os, sqlite3, subprocess, tempfile
        with c.ThreadPoolExecutor(4) as e: list(e.map(str, range(9)))
        with tempfile.TemporaryDirectory() as d:
            sqlite3.connect(d + "/x").execute("create table a(b)")
            os.chmod(d + "/x", 0o600)
        print(subprocess.run(["/bin/echo", "done"], capture_output=True, text=True).stdout)
        """,
      ],
      expectedOutput: "done"
    ),
    Program(
      command: [
        "/usr/bin/ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5", "-t", "1",
        "-f", "framemd5", "-c:v", "libx264", "-",
      ],
      expectedOutput: "0,"
    ),
    Program(
      command: ["/usr/bin/convert", "-size", "9x9", "xc:red", "-blur", "0x1", "txt:-"],
      expectedOutput: "8,8:"
    ),
  ].filter { access($0.command[0], X_OK) == 0 }

  @Test(arguments: programs)
  func `a common program works under the base filter`(program: Program) throws {
    let filter = try SeccompCompiler.compile(try CompiledPolicy("base").policy)
    let result = try #require(FilteredCommand.run(program.command, under: filter))
    #expect(result.status == 0, "\(result.lines)")
    #expect(result.lines.last?.hasPrefix(program.expectedOutput) == true, "\(result.lines)")
  }
}
