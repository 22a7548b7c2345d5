// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

extension RestrictedSessions {
  /// Termination of sessions without a PID namespace by their init.
  @Suite(.timeLimit(.minutes(20))) struct RestrictedEndTests {
    @Test func `exit codes and signals arrive as they are`() throws {
      let attempts = ["exit=7", "exit=255", "end-by=15", "end-by=9", "abort", "fault"]
      let verdicts = try ProbeBench(.ordinary).attempt(attempts, options: RestrictedTests.mode).map(\.verdict)
      #expect(verdicts == ["exited 7", "exited 255", "SIGTERM", "SIGKILL", "SIGABRT", "SIGSEGV"])
    }

    /// Without the filter, processes can leave the process group that is killed at once. The init then uses
    /// its list of children.
    @Test(arguments: [[], ["filter"]])
    func `what an extension leaves running ends with it, however it multiplies`(without: [String]) throws {
      let marker = Randomness.hexadecimal(bytes: 12)
      let results = try ProbeBench(.ordinary).attempt(
        ["outlive=\(marker)", "bomb=\(marker)", "chain=\(marker)"],
        without: without,
        options: RestrictedTests.mode
      )
      #expect(results.map(\.verdict) == ["exited 7", "exited 7", "exited 7"], "\(results)")
      #expect(SessionEndTests.processes(marked: marker).isEmpty)
    }

    @Test(arguments: [(true, "swarm"), (true, "ignore-end"), (false, "swarm")])
    func `killing the host or the init ends every process of the session`(
      killsHost: Bool,
      attempt: String
    ) throws {
      let marker = Randomness.hexadecimal(bytes: 12)
      let bench = try ProbeBench(.ordinary)
      // The test kills the host by PID, so that the shell and setpriv must become the host by exec.
      let options = RestrictedTests.mode + ["--output", "passed"]
      let command = bench.command(["\(attempt)=\(marker)"], options: options)
        .split(separator: "timeout -k 1 600 ").joined()
      let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
      let host = try #require(Int32(try SessionEndTests.line(stream)))
      defer {
        kill(host, SIGKILL)
        pclose(stream)
      }
      let lines = try [SessionEndTests.line(stream), SessionEndTests.line(stream)].sorted()
      try #require(lines.last == "ready", "\(lines)")
      let session = try #require(Int32(lines[0].split(separator: " ").last ?? ""), "\(lines)")
      let expected = attempt == "swarm" ? 17 : 2
      #expect(
        SessionEndTests.eventually { SessionEndTests.processes(marked: marker).count == expected },
        "\(SessionEndTests.processes(marked: marker))"
      )
      #expect(kill(killsHost ? host : session, SIGKILL) == 0)
      #expect(SessionEndTests.eventually { SessionEndTests.processes(marked: marker).isEmpty })
      #expect(SessionEndTests.eventually { kill(session, 0) != 0 })
    }

    @Test func `fifty launches leave no descriptor, mount or child`() throws {
      let bench = try ProbeBench(.ordinary)
      let options = RestrictedTests.mode + ["--times", "50"]
      let lines = try bench.output(bench.command(["outlive=x"], options: options, ownMounts: true))
      #expect(lines.first == "outlive\texited 7\t", "\(lines)")
      // The first launch creates permanent resources: the image of the session init, the host's pidfd, and
      // the socket pair.
      #expect(lines.dropFirst() == ["left\tdescriptors 4\tmounts 0", "left\tchildren 0"], "\(lines)")
      #expect(try FileSystem.names(in: "\(bench.directory)/root/sessions").isEmpty)
    }
  }
}
