// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Termination of sessions without leaked resources.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SessionTerminationTests {
  @Test(arguments: ProbeUser.available)
  func `reports exit codes and signals`(user: ProbeUser) throws {
    let attempts = ["exit=7", "exit=255", "end-by=15", "end-by=2", "end-by=1", "end-by=9", "abort", "fault"]
    let verdicts = try ProbeHarness(user).attempt(attempts).map(\.verdict)
    #expect(
      verdicts == [
        "exited 7", "exited 255", "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL", "SIGABRT", "SIGSEGV",
      ]
    )
  }

  @Test(arguments: ProbeUser.available)
  func `kills every process that the extension leaves running`(user: ProbeUser) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let results = try ProbeHarness(user).attempt(["outlive=\(marker)"])
    #expect(results.map(\.verdict) == ["exited 7"], "\(results)")
    #expect(Self.processes(marked: marker).isEmpty)
  }

  @Test(arguments: ProbeUser.available)
  func `killing the host ends every process of the session`(user: ProbeUser) throws {
    // The count includes sixteen processes, and the host, whose arguments also contain the marker.
    try Self.expectTermination(user, processes: 17)
  }

  /// Kills a host during a session, after the given number of processes have the marker in their arguments.
  static func expectTermination(_ user: ProbeUser, options: [String] = [], processes: Int) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let bench = try ProbeHarness(user)
    // The test kills the host by PID, so that the shell and setpriv must become the host by exec.
    let command = bench.command(["swarm=\(marker)"], options: ["--output", "passed"] + options)
      .split(separator: "timeout -k 1 600 ").joined()
    let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
    let host = try #require(Int32(try Self.line(stream)))
    defer {
      // After a failed expectation, the swarm must be killed too.
      kill(host, SIGKILL)
      pclose(stream)
    }
    // The lines of the host and the extension arrive in either order.
    let lines = try [Self.line(stream), Self.line(stream)].sorted()
    try #require(lines.last == "ready", "\(lines)")
    let session = try #require(Int32(lines[0].split(separator: " ").last ?? ""), "\(lines)")
    #expect(Self.eventually { Self.processes(marked: marker).count == processes })
    #expect(kill(host, SIGKILL) == 0)
    #expect(Self.eventually { Self.processes(marked: marker).isEmpty && kill(session, 0) != 0 })
  }

  @Test(
    arguments: ProbeUser.available,
    [[], BrokeredSessionTests.brokered, BrokeredSessionTests.inReusedNetwork]
  )
  func `killing the host during a launch leaves no process`(
    user: ProbeUser,
    options: [String]
  ) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let bench = try ProbeHarness(user)
    let command = bench.command(["swarm=\(marker)"], options: ["--course", "held"] + options)
      .split(separator: "timeout -k 1 600 ").joined()
    let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
    let host = try #require(Int32(try Self.line(stream)))
    defer {
      for process in Self.processes(marked: marker) { kill(Int32(process) ?? 0, SIGKILL) }
      pclose(stream)
    }
    try #require(try Self.line(stream) == "held")
    // Until execve(2), the session init has the host's memory and arguments; so do a broker and the second
    // process of a prepared session.
    let processes = options.isEmpty ? 2 : options == BrokeredSessionTests.brokered ? 4 : 3
    #expect(Self.eventually { Self.processes(marked: marker).count == processes })
    #expect(kill(host, SIGKILL) == 0)
    #expect(Self.eventually { Self.processes(marked: marker).isEmpty })
  }

  @Test(arguments: ProbeUser.available)
  func `a hundred launches leak no descriptor, mount or child`(user: ProbeUser) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let bench = try ProbeHarness(user)
    let lines = try bench.output(
      bench.command(["outlive=\(marker)"], options: ["--times", "100"], ownMounts: true)
    )
    #expect(lines.first == "outlive\texited 7\t", "\(lines)")
    // Permanent resources:
    // - of the first session: the image of the init, the mount table, a pipe for released mount namespaces,
    //   the host's pidfd and the socket pair for listeners; for root, also a procfs and the network for the
    //   next session
    // - of the second session: the watch for changed names
    // - of each session: the two pipes of the next session
    let kept = user == .root ? 14 : 12
    #expect(lines.dropFirst() == ["left\tdescriptors \(kept)\tmounts 0", "left\tchildren 0"], "\(lines)")
    #expect(Self.processes(marked: marker).isEmpty)
    #expect(try FileSystem.names(in: "\(bench.directory)/root/sessions").isEmpty)
  }

  /// Returns the processes that have a text in their arguments.
  static func processes(marked marker: String) -> [String] {
    ((try? FileSystem.names(in: "/proc")) ?? []).filter { name in
      guard let first = name.utf8.first, (48...57).contains(first) else { return false }
      guard let arguments = try? FileSystem.contents("/proc/\(name)/cmdline") else { return false }
      return String(decoding: arguments, as: UTF8.self).contains(marker)
    }
  }

  /// Polls a condition: during tests that fork without limit, even a killed process takes time to exit.
  static func eventually(_ condition: () -> Bool) -> Bool { TestTimeout.waitUntil(condition) }

  /// Returns the next line of a stream.
  static func line(_ stream: UnsafeMutablePointer<FILE>) throws -> String {
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF, next != 10 { text.append(UInt8(next)) }
    return String(decoding: text, as: UTF8.self)
  }
}
