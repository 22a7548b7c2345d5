// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Serialized suites: the kernel counts the processes of all these sessions together because they have the
/// same user.
@Suite(.serialized, .waitingSerially) struct RestrictedSessions {}

extension RestrictedSessions {
  /// Restrictions of a session without namespaces. Only unprivileged users can have one, so that the tests
  /// run as one.
  @Suite(.timeLimit(.minutes(20))) struct RestrictedSessionTests {
    /// The options for a sandbox without namespaces.
    static let mode = ["--mode", "restricted"]

    @Test func `root with CAP_SYS_ADMIN is never restricted`() throws {
      guard geteuid() == 0 else {
        print("SKIP: that root is never restricted: only root can try")
        return
      }
      let bench = try ProbeHarness(.root)
      let lines = try bench.output(bench.command(["exit=3"], options: Self.mode))
      #expect(lines.count == 1 && lines[0].contains("this user can create namespaces"), "\(lines)")
    }

    @Test func `two filters and Landlock each keep the network closed`() throws {
      let sockets = ["socket", "socketpair-datagrams", "io_uring_setup"]
      let connections = ["connect-tcp={port}", "connect-abstract={abstract}"]
      try expectProtected(
        connections.map { Attempt($0, behind: "filter", "socketFilter", "landlock") }
          + sockets.map { Attempt($0, behind: "filter", "socketFilter") }
          + [Attempt("attach-memory={memory}", behind: "filter")],
        user: .unprivileged,
        options: { _ in Self.mode }
      )
      let bench = try ProbeHarness(.unprivileged)
      for (removed, names) in [
        (["filter"], connections + sockets), (["filter", "landlock"], connections + sockets),
        (["socketFilter", "landlock"], connections + sockets), (["filter", "socketFilter"], connections),
      ] {
        for result in try bench.attempt(names, without: removed, options: Self.mode) {
          #expect(result.verdict == "refused", "without \(removed): \(result)")
        }
      }
    }

    @Test func `the socket filter permits connected pairs, which the policy allows`() throws {
      let names = ["socketpair", "socketpair-packets"]
      let results = try ProbeHarness(.unprivileged).attempt(names, without: ["filter"], options: Self.mode)
      #expect(results.map(\.verdict) == ["succeeded", "succeeded"], "\(results)")
    }

    /// The policy's ruleset is replaced by one that allows everything, as after a mistake in its rules.
    @Test func `two rulesets each deny the containers of other apps`() throws {
      let bench = try ProbeHarness(.unprivileged)
      let attempts = [
        "read={secret}", "list={root}", "read=/proc/self/root{secret}", "write={secret}", "truncate={secret}",
        "create={root}/apps", "make-directory={root}/sessions",
      ]
      for removed in ["policyRuleset", "stateRootRuleset"] {
        for result in try bench.attempt(attempts, without: [removed], options: Self.mode) {
          #expect(result.verdict == "refused", "without \(removed): \(result)")
        }
      }
      let both = try bench.attempt(attempts, without: ["landlock"], options: Self.mode)
      #expect(both.allSatisfy { $0.verdict == "succeeded" }, "\(both)")
    }

    /// Landlock does not restrict sockets with a path, and their owner is the same user: a session's
    /// viewfinder and the sockets of `darkroom serve` would answer.
    @Test func `no socket of the user is reachable by path`() throws {
      try expectProtected(
        [Attempt("connect-path={socket}", behind: "filter", "socketFilter")],
        user: .unprivileged,
        options: { bench in
          Self.mode + ["--listen", "\(try bench.makeUserDirectory("bus", mode: 0o777))/socket"]
        }
      )
    }

    /// The secret is a file in another app's container that the extension's user owns and all users may
    /// write.
    @Test func `the container of another app is inaccessible under every path`() throws {
      try expectProtected(
        [
          Attempt("read={secret}", behind: "landlock"), Attempt("list={root}", behind: "landlock"),
          Attempt("read-from-inside={secret}", behind: "landlock"),
          Attempt("reopen={secret}", behind: "landlock"),
          Attempt("read=/proc/self/root{secret}", behind: "landlock"),
          Attempt("read=/proc/{process}/root{secret}", behind: "landlock"),
          Attempt("read={content}/../../../apps/org.example.other/container/secret", behind: "landlock"),
          Attempt("write={secret}", behind: "landlock"), Attempt("truncate={secret}", behind: "landlock"),
          Attempt("replace-over={secret}", behind: "landlock"), Attempt("take={secret}", behind: "landlock"),
          Attempt("create={root}/apps", behind: "landlock"),
          Attempt("make-directory={root}/sessions", behind: "landlock"),
        ],
        user: .unprivileged,
        options: { _ in Self.mode }
      )
      try expectProtected(
        [
          Attempt("take-link={secret}", behind: "filter", "landlock"),
          Attempt("read-openat2={secret}", behind: "filter", "landlock"),
          Attempt("remove={secret}", behind: "filter", "landlock"),
        ],
        user: .unprivileged,
        options: { _ in Self.mode }
      )
    }

    @Test func `the filter refuses file operations that Landlock does not restrict`() throws {
      try expectProtected(
        [
          Attempt("change-mode={secret}", behind: "filter"),
          Attempt("change-time={secret}", behind: "filter"),
          Attempt("change-owner={secret}", behind: "filter"),
          Attempt("list-attributes={secret}", behind: "filter"),
          Attempt("watch-file={secret}", behind: "filter"),
          Attempt("watch-file={root}", behind: "filter"),
        ],
        user: .unprivileged,
        options: { _ in Self.mode }
      )
    }

    @Test func `a file shown read-only to a restricted session cannot be changed`() throws {
      let bench = try ProbeHarness(.unprivileged)
      let file = "\(try bench.makeUserDirectory("shown"))/file"
      try FileSystem.replaceContents(file, with: [120])
      chmod(file, 0o666)
      chown(file, bench.user.identifier, bench.user.identifier)
      let options = Self.mode + ["--read-only", FileSystem.directoryName(file)]
      #expect(try bench.attempt(["read=\(file)"], options: options).map(\.verdict) == ["succeeded"])
      for (attempt, protection) in [
        ("change-mode-of-open", "filter"), ("change-time", "filter"), ("write", "landlock"),
        ("truncate", "landlock"),
      ] {
        let whole = try bench.attempt(["\(attempt)=\(file)"], options: options)
        #expect(whole.map(\.verdict) == ["refused"], "\(attempt): \(whole)")
        let without = try bench.attempt(["\(attempt)=\(file)"], without: [protection], options: options)
        #expect(without.map(\.verdict) == ["succeeded"], "\(attempt) without \(protection): \(without)")
      }
    }

    /// This access is not restricted; `RestrictedMode` and the policy documentation state it.
    @Test func `a restricted session can test whether a known path exists`() throws {
      let results = try ProbeHarness(.unprivileged).attempt(["stat={secret}"], options: Self.mode)
      #expect(results.map(\.verdict) == ["succeeded"], "\(results)")
    }

    @Test func `a restricted session cannot signal, control or inspect processes of the user`() throws {
      try expectProtected(
        [
          Attempt("kill-process={process}", behind: "landlock"),
          Attempt("stop-briefly={process}", behind: "landlock"),
          Attempt("queue-signal={process}", behind: "landlock"),
          Attempt("signal-thread={process}", behind: "landlock"),
          Attempt("signal-by-pipe={process}", behind: "filter"),
          Attempt("limit-process={process}", behind: "filter"),
          Attempt("renice-process={process}", behind: "filter"), Attempt("renice-user", behind: "filter"),
          Attempt("pin-process={process}", behind: "filter"),
          Attempt("schedule-process={process}", behind: "filter"),
          Attempt("open-process={process}", behind: "filter"),
          Attempt("attach-process={process}", behind: "filter", "socketFilter", "landlock"),
          Attempt("read=/proc/{process}/environ", behind: "landlock"),
          Attempt("read=/proc/{process}/maps", behind: "landlock"),
          Attempt("list=/proc/{process}/fd", behind: "landlock"), Attempt("list=/proc", behind: "landlock"),
          Attempt("read=/proc/cmdline", behind: "landlock"),
        ],
        user: .unprivileged,
        options: { _ in Self.mode }
      )
    }

    /// A plan with a lower Landlock ABI simulates an older kernel.
    @Test func `the filter refuses signals if Landlock cannot scope them`() throws {
      try expectProtected(
        [
          Attempt("kill-process={process}", behind: "filter"),
          Attempt("stop-briefly={process}", behind: "filter"),
          Attempt("queue-signal={process}", behind: "filter"),
          Attempt("signal-thread={process}", behind: "filter"),
        ],
        user: .unprivileged,
        options: { _ in Self.mode + ["--landlock-abi", "5"] }
      )
      let bench = try ProbeHarness(.unprivileged)
      let old = try bench.output(bench.command(["exit=3"], options: Self.mode + ["--landlock-abi", "2"]))
      #expect(old.count == 1 && old[0].contains("ABI 3"), "\(old)")
    }

    @Test(arguments: [[], ManyDescriptorsTests.many])
    func `a restricted session inherits nothing of the host and gains no privilege`(host: [String]) throws {
      try expectProtected(
        [
          Attempt("loose-process"), Attempt("high-descriptors={descriptors}"),
          Attempt("environment={environment}"),
          Attempt("file-mask"), Attempt("execute-written={container}", behind: "landlock"),
          Attempt("execute-written={content}", behind: "landlock"),
          Attempt("fifo={content}", behind: "filter", "landlock"), Attempt("setuid-root"), Attempt("capset"),
          Attempt("unshare-user", behind: "filter"),
          Attempt("io_uring_setup", behind: "filter", "socketFilter"),
          Attempt("new-session", behind: "filter"), Attempt("new-group", behind: "filter"),
          Attempt("survive-init", behind: "filter"),
        ],
        user: .unprivileged,
        options: { _ in Self.mode + host }
      )
    }

    @Test func `a restricted session can create the number of processes that its policy allows`() throws {
      let bench = try ProbeHarness(.unprivileged)
      // Other processes of this user count too. If hundreds start or exit meanwhile, the count is
      // meaningless.
      var made = 0
      for _ in 0..<5 where !(129..<512).contains(made) {
        let bounded = try bench.attempt(["processes={limit processes}"], options: Self.mode)
        #expect(bounded.map(\.verdict) == ["refused"], "\(bounded)")
        made = Int(bounded.first?.text.split(separator: " ").first ?? "") ?? 0
      }
      #expect((129..<512).contains(made))
      let free = try bench.attempt(["processes=600"], without: ["limits"], options: Self.mode)
      #expect(free.map(\.verdict) == ["succeeded"], "\(free)")
    }

    @Test func `a restricted session can write the session directory and the container`() throws {
      let results = try ProbeHarness(.unprivileged).attempt(
        ["create={content}", "make-directory={content}", "create={container}", "create={container}/tmp"],
        options: Self.mode
      )
      #expect(results.allSatisfy { $0.verdict == "succeeded" }, "\(results)")
    }
  }
}
