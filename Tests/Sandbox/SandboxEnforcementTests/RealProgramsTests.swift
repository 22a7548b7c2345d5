// SPDX-License-Identifier: Apache-2.0

import Glibc
import SandboxEnforcement
import SandboxPolicy
import Testing

/// Unmodified common programs under the filter of `base`.
@Suite(.enabled(if: FilteredCommand.isPossible, "python3 is not installed"), .timeLimit(.minutes(20)))
struct RealProgramsTests {
  /// A program with arguments and its expected output.
  struct Program: CustomTestStringConvertible, Sendable {
    var words: [String]
    /// The prefix of the last line that the program must print.
    var says: String
    var testDescription: String { words.first ?? "" }
  }

  static let programs = [
    Program(
      words: [
        "/bin/bash", "-c",
        "d=$(mktemp -d) && cd $d && seq 3 | tee a >b && cp a c && mv c e && wait $! ; (cat <(echo sub)) "
          + "&& find . -type f | wc -l && rm -r $d && echo done",
      ],
      says: "done"
    ),
    Program(
      words: [
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
      says: "done"
    ),
    Program(
      words: [
        "/usr/bin/ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5", "-t", "1",
        "-f", "framemd5", "-c:v", "libx264", "-",
      ],
      says: "0,"
    ),
    Program(words: ["/usr/bin/convert", "-size", "9x9", "xc:red", "-blur", "0x1", "txt:-"], says: "8,8:"),
  ].filter { access($0.words[0], X_OK) == 0 }

  @Test(arguments: programs)
  func `a program does its work and ends well`(program: Program) throws {
    let filter = try SeccompCompiler.compile(try Compiled("base").policy)
    let result = try #require(FilteredCommand.run(program.words, under: filter))
    #expect(result.status == 0, "\(result.lines)")
    #expect(result.lines.last?.hasPrefix(program.says) == true, "\(result.lines)")
  }
}
