// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// How sessions end, and that nothing is left of them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SessionEndTests {
  @Test(arguments: ProbeUser.available)
  func `exit codes and signals arrive as they are`(user: ProbeUser) throws {
    let attempts = ["exit=7", "exit=255", "end-by=15", "end-by=2", "end-by=1", "end-by=9", "abort", "fault"]
    let verdicts = try ProbeBench(user).attempt(attempts).map(\.verdict)
    #expect(
      verdicts == [
        "exited 7", "exited 255", "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL", "SIGABRT", "SIGSEGV",
      ]
    )
  }

  @Test(arguments: ProbeUser.available)
  func `what an extension leaves running ends with it`(user: ProbeUser) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let results = try ProbeBench(user).attempt(["outlive=\(marker)"])
    #expect(results.map(\.verdict) == ["exited 7"], "\(results)")
    #expect(Self.processes(marked: marker).isEmpty)
  }

  @Test(arguments: ProbeUser.available)
  func `killing the host ends every process of the session`(user: ProbeUser) throws {
    // Sixteen processes, and the host, whose arguments have the marker, too.
    try Self.expectEnd(user, processes: 17)
  }

  /// Kills a host in the middle of a session; so many processes have its marker until then.
  static func expectEnd(_ user: ProbeUser, options: [String] = [], processes: Int) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let bench = try ProbeBench(user)
    // The host itself is killed, so nothing may stand between: the shell and setpriv become it.
    let command = bench.command(["swarm=\(marker)"], options: ["--output", "passed"] + options)
      .split(separator: "timeout -k 1 600 ").joined()
    let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
    let host = try #require(Int32(try Self.line(stream)))
    defer {
      // Also where an expectation failed: the swarm waits for nothing else.
      kill(host, SIGKILL)
      pclose(stream)
    }
    // The host's line and the extension's come in either order.
    let lines = try [Self.line(stream), Self.line(stream)].sorted()
    try #require(lines.last == "ready", "\(lines)")
    let session = try #require(Int32(lines[0].split(separator: " ").last ?? ""), "\(lines)")
    #expect(Self.eventually { Self.processes(marked: marker).count == processes })
    #expect(kill(host, SIGKILL) == 0)
    #expect(Self.eventually { Self.processes(marked: marker).isEmpty && kill(session, 0) != 0 })
  }

  @Test(arguments: ProbeUser.available, [[], BrokerTests.brokered, BrokerTests.beside])
  func `killing the host in the middle of a launch leaves no process`(
    user: ProbeUser,
    options: [String]
  ) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let bench = try ProbeBench(user)
    let command = bench.command(["swarm=\(marker)"], options: ["--course", "held"] + options)
      .split(separator: "timeout -k 1 600 ").joined()
    let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
    let host = try #require(Int32(try Self.line(stream)))
    defer {
      for process in Self.processes(marked: marker) { kill(Int32(process) ?? 0, SIGKILL) }
      pclose(stream)
    }
    try #require(try Self.line(stream) == "held")
    // The session init has the host's memory until it executes, and its arguments; so have a broker, and the second
    // process of the session where one has made it ahead.
    let processes = options.isEmpty ? 2 : options == BrokerTests.brokered ? 4 : 3
    #expect(Self.eventually { Self.processes(marked: marker).count == processes })
    #expect(kill(host, SIGKILL) == 0)
    #expect(Self.eventually { Self.processes(marked: marker).isEmpty })
  }

  @Test(arguments: ProbeUser.available)
  func `a hundred launches leave no descriptor, mount or child`(user: ProbeUser) throws {
    let marker = Randomness.hexadecimal(bytes: 12)
    let bench = try ProbeBench(user)
    let lines = try bench.output(
      bench.command(["outlive=\(marker)"], options: ["--times", "100"], ownMounts: true)
    )
    #expect(lines.first == "outlive\texited 7\t", "\(lines)")
    // What the first session opens stays: the init's image, the table of mounts, a pipe for mount namespaces that have had
    // their time, the host's pidfd, the pair of sockets that listeners come over, and where the host is root a proc and
    // the network that the next one gets; of the second what tells that a name on the way has changed; and of each the two
    // pipes of the next one.
    let kept = user == .root ? 14 : 12
    #expect(lines.dropFirst() == ["left\tdescriptors \(kept)\tmounts 0", "left\tchildren 0"], "\(lines)")
    #expect(Self.processes(marked: marker).isEmpty)
    #expect(try FileSystem.names(in: "\(bench.directory)/root/sessions").isEmpty)
  }

  /// The processes of the machine that have a text among their arguments.
  static func processes(marked marker: String) -> [String] {
    ((try? FileSystem.names(in: "/proc")) ?? []).filter { name in
      guard let first = name.utf8.first, (48...57).contains(first) else { return false }
      guard let arguments = try? FileSystem.contents("/proc/\(name)/cmdline") else { return false }
      return String(decoding: arguments, as: UTF8.self).contains(marker)
    }
  }

  /// Looks again and again: beside a test that forks as much as it may, also a killed process takes its time.
  static func eventually(_ condition: () -> Bool) -> Bool { TestPatience.comes(condition) }

  /// The next line of a stream.
  static func line(_ stream: UnsafeMutablePointer<FILE>) throws -> String {
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF, next != 10 { text.append(UInt8(next)) }
    return String(decoding: text, as: UTF8.self)
  }
}
