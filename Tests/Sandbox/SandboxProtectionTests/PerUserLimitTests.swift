// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Resources that the kernel counts per user outside: a session must not exhaust them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PerUserLimitTests {
  @Test(arguments: ProbeUser.available)
  func `inotify, pending signals and namespaces are limited per session`(user: ProbeUser)
    throws
  {
    try expectProtected(
      [
        Attempt("inotify-instances=16", behind: "filter", "namespaceLimits"),
        Attempt("inotify-watches=4096", behind: "filter", "namespaceLimits"),
        Attempt("pending-signals={limit pendingSignals}"),
      ],
      user: user
    )
    let bench = try ProbeHarness(user)
    let kinds = ["user", "mount", "cgroup", "uts", "ipc", "pid", "network", "time"]
    // Only a user namespace needs no privilege, so that only it shows the error of the limit itself.
    for result in try bench.attempt(kinds.map { "unshare-\($0)" }, without: ["filter"]) {
      #expect(result.verdict == "refused", "\(result)")
      if result.name == "unshare-user" { #expect(result.text == "ENOSPC", "\(result)") }
    }
    let signals = try bench.attempt(["pending-signals=1024"], without: ["limits"])
    #expect(signals.map(\.verdict) == ["succeeded"], "\(signals)")
  }

  @Test(arguments: ProbeUser.available)
  func `a session at its limits leaves resources to its user outside`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    let holder = try Self.hold(bench, without: ["filter"])
    // The number is half of the usual limit per user; a session may use an eighth.
    let outside = user.commandPrefix + "'\(bench.directory)/darkroom-probe' inotify-instances 64"
    #expect(try bench.output(outside + "; echo $?").last == "0")
    #expect(holder.count == 16)
  }

  @Test(arguments: ProbeUser.available)
  func `more inotify instances are possible without namespace limits (control)`(user: ProbeUser) throws {
    let holder = try Self.hold(try ProbeHarness(user), without: ["filter", "namespaceLimits"])
    #expect(holder.count > 16)
  }

  @Test(arguments: ProbeUser.available)
  func `a session at its process limit leaves other sessions their processes`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    let holder = try Self.hold(bench, without: [], attempt: "hold-processes")
    #expect(holder.count > 200 && holder.count < 256)
    let second = try ProbeHarness(user).attempt(["processes=240"])
    #expect(second.map(\.verdict) == ["succeeded"], "\(second)")
    extendLifetime(holder)
  }

  /// A session that holds resources until this value is deinitialized.
  private final class HoldingSession {
    let count: Int
    private let stream: UnsafeMutablePointer<FILE>
    private let host: Int32

    init(_ bench: ProbeHarness, _ stream: UnsafeMutablePointer<FILE>) throws {
      self.stream = stream
      var lines: [Int: Int] = [:]
      // The first line is the PID of the shell; the lines of the host and the extension follow in either
      // order.
      for number in 0..<3 {
        var text = ""
        while case let next = fgetc(stream), next != EOF, next != 10 {
          text.append(Character(UnicodeScalar(UInt8(next))))
        }
        if !text.hasPrefix("init") { lines[number] = Int(text) }
      }
      host = Int32(try #require(lines[0]))
      count = try #require(lines[1] ?? lines[2])
    }

    deinit {
      kill(host, SIGKILL)
      pclose(stream)
    }
  }

  private static func hold(_ bench: ProbeHarness, without: [String], attempt: String = "hold-inotify") throws
    -> HoldingSession
  {
    let command = bench.command([attempt], without: without, options: ["--output", "passed"])
      .split(separator: "timeout -k 1 600 ").joined()
    let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
    return try HoldingSession(bench, stream)
  }
}
