// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Resources that the kernel counts per user outside: a session must not exhaust them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SharedLimitTests {
  @Test(arguments: ProbeUser.available)
  func `watches, signals and namespaces end at the limits of the session's user namespace`(user: ProbeUser)
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
    let bench = try ProbeBench(user)
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
  func `while a session holds all that it can get, its user outside still gets some`(user: ProbeUser) throws {
    let bench = try ProbeBench(user)
    let held = try Self.hold(bench, without: ["filter"])
    // The number is half of the usual limit per user; a session may use an eighth.
    let outside = user.prefix + "'\(bench.directory)/darkroom-probe' inotify-instances 64"
    #expect(try bench.output(outside + "; echo $?").last == "0")
    #expect(held.count == 16)
  }

  @Test(arguments: ProbeUser.available)
  func `a session without these limits takes more`(user: ProbeUser) throws {
    let held = try Self.hold(try ProbeBench(user), without: ["filter", "namespaceLimits"])
    #expect(held.count > 16)
  }

  @Test(arguments: ProbeUser.available)
  func `a session that has all its processes takes none from another`(user: ProbeUser) throws {
    let bench = try ProbeBench(user)
    let held = try Self.hold(bench, without: [], attempt: "hold-processes")
    #expect(held.count > 200 && held.count < 256)
    let second = try ProbeBench(user).attempt(["processes=240"])
    #expect(second.map(\.verdict) == ["succeeded"], "\(second)")
    extendLifetime(held)
  }

  /// A session that holds resources until this value is deinitialized.
  private final class Held {
    let count: Int
    private let stream: UnsafeMutablePointer<FILE>
    private let host: Int32

    init(_ bench: ProbeBench, _ stream: UnsafeMutablePointer<FILE>) throws {
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

  private static func hold(_ bench: ProbeBench, without: [String], attempt: String = "hold-inotify") throws
    -> Held
  {
    let command = bench.command([attempt], without: without, options: ["--output", "passed"])
      .split(separator: "timeout -k 1 600 ").joined()
    let stream = try #require(popen("echo $$; exec \(command) </dev/null", "r"))
    return try Held(bench, stream)
  }
}
