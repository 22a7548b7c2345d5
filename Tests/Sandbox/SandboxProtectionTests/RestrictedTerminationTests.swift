// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

extension RestrictedSessions {
  /// Termination of sessions without a PID namespace by their init.
  @Suite(.timeLimit(.minutes(20))) struct RestrictedTerminationTests {
    @Test func `reports exit codes and signals without a PID namespace`() throws {
      let attempts = ["exit=7", "exit=255", "end-by=15", "end-by=9", "abort", "fault"]
      let verdicts = try ProbeHarness(.unprivileged).attempt(attempts, options: RestrictedSessionTests.mode)
        .map(\.verdict)
      #expect(verdicts == ["exited 7", "exited 255", "SIGTERM", "SIGKILL", "SIGABRT", "SIGSEGV"])
    }

    /// Without the filter, processes can leave the process group that is killed at once. The init then uses
    /// its list of children.
    @Test(arguments: [[], ["filter"]])
    func `kills every remaining process without a PID namespace, however it forks`(without: [String]) throws {
      let marker = Randomness.hexadecimal(bytes: 12)
      let results = try ProbeHarness(.unprivileged).attempt(
        ["outlive=\(marker)", "bomb=\(marker)", "chain=\(marker)"],
        without: without,
        options: RestrictedSessionTests.mode
      )
      #expect(results.map(\.verdict) == ["exited 7", "exited 7", "exited 7"], "\(results)")
      #expect(SessionTerminationTests.processes(marked: marker).isEmpty)
    }

    @Test(arguments: [(true, "swarm"), (true, "ignore-end"), (false, "swarm")])
    func `killing the host or the session init kills every process without a PID namespace`(
      killsHost: Bool,
      attempt: String
    ) throws {
      let marker = Randomness.hexadecimal(bytes: 12)
      let bench = try ProbeHarness(.unprivileged)
      // The test kills the host by PID, so that the shell and setpriv must become the host by exec.
      let options = RestrictedSessionTests.mode + ["--output", "passed"]
      let command = bench.command(["\(attempt)=\(marker)"], options: options)
        .split(separator: "timeout -k 1 600 ").joined()
      let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
      let host = try #require(Int32(try SessionTerminationTests.line(stream)))
      defer {
        kill(host, SIGKILL)
        pclose(stream)
      }
      let lines = try [SessionTerminationTests.line(stream), SessionTerminationTests.line(stream)].sorted()
      try #require(lines.last == "ready", "\(lines)")
      let session = try #require(Int32(lines[0].split(separator: " ").last ?? ""), "\(lines)")
      let expected = attempt == "swarm" ? 17 : 2
      #expect(
        SessionTerminationTests.eventually {
          SessionTerminationTests.processes(marked: marker).count == expected
        },
        "\(SessionTerminationTests.processes(marked: marker))"
      )
      #expect(kill(killsHost ? host : session, SIGKILL) == 0)
      #expect(
        SessionTerminationTests.eventually { SessionTerminationTests.processes(marked: marker).isEmpty }
      )
      #expect(SessionTerminationTests.eventually { kill(session, 0) != 0 })
    }

    @Test func `fifty launches without namespaces leak no descriptor, mount or child`() throws {
      let bench = try ProbeHarness(.unprivileged)
      let options = RestrictedSessionTests.mode + ["--times", "50"]
      let lines = try bench.output(bench.command(["outlive=x"], options: options, ownMounts: true))
      #expect(lines.first == "outlive\texited 7\t", "\(lines)")
      // The first launch creates permanent resources: the image of the session init, the host's pidfd, and
      // the socket pair.
      #expect(lines.dropFirst() == ["left\tdescriptors 4\tmounts 0", "left\tchildren 0"], "\(lines)")
      #expect(try FileSystem.names(in: "\(bench.directory)/root/sessions").isEmpty)
    }
  }
}
