// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom policy learn`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LearningTests {
  /// Calls of the probe that no policy can allow.
  private static let core = ["socket", "unshare", "io_uring_setup"]
  /// Calls of the probe that a policy can allow.
  private static let needed = ["inotify_init1", "shmget", "sync"]

  /// Returns the path of a copy of the probe that the user can execute.
  private static func probe(_ home: TestHome) throws -> String {
    let probe = try FileSystem.contents("\(home.programs.directory)/bin/darkroom-probe", limit: 1 << 26)
    try FileSystem.replaceContents(home.file("probe"), with: probe ?? [], mode: 0o755)
    try home.giveOwnership(home.file("probe"))
    return home.file("probe")
  }

  /// Learns from a program and returns the report.
  private static func learn(
    _ home: TestHome,
    _ options: [String],
    _ program: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (report: JSONValue, errors: String, code: Int32) {
    let arguments = ["learn", "--json"] + options + ["--"] + program
    let result = try home.darkroom("policy", arguments)
    try #require(!result.output.isEmpty, "\(result.code) \(result.errors)", sourceLocation: sourceLocation)
    return (try home.json(result.output), result.errors, result.code)
  }

  /// Returns the calls of a proposal.
  private static func proposed(_ report: JSONValue) -> [String] {
    (report["proposal"]?["additions"]?.elements ?? []).compactMap { addition in
      addition["rule"]?.string ?? addition["rule"]?["call"]?.string
    }
  }

  @Test(arguments: TestUser.available)
  func `the minimal policy runs the program and allows only the calls that it makes`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let file = home.file("least.json")
    let program = ["/usr/bin/python3", "-c", "import os; os.sync(); print(sum(range(9)))"]
    let (report, errors, code) = try Self.learn(home, ["--least", "--output", file], program)
    #expect(code == 0, "\(errors)")
    let calls = (report["minimal"]?["calls"]?.elements ?? []).compactMap(\.string)
    let base = try #require(report["minimal"]?["callsOfBase"]?.integer)
    // The program needs a call that capture refuses, and few of those that it allows.
    #expect(calls.contains("sync") && calls.contains("exit_group") && !calls.contains("flock"))
    #expect(calls.count < 80 && base > 180, "\(calls.count) of \(base)")
    #expect(report["trial"]?["refusals"]?.elements?.isEmpty == true, "\(report)")
    let session = try home.exec(program, options: ["--policy", file])
    session.expectSuccess()
    #expect(session.record["refusals"]?.elements?.isEmpty ?? true, "\(session.record)")
    // Another program needs more calls, which are refused.
    let other = try home.exec(
      ["/usr/bin/python3", "-c", "import fcntl, tempfile; fcntl.flock(tempfile.TemporaryFile(), 2)"],
      options: ["--policy", file]
    )
    #expect(other.command.code != 0)
    #expect(other.record["refusals"]?.elements?.isEmpty == false, "\(other.record)")
    guard user == .regular else { return }
    // The policy without one of its calls refuses that call.
    let document = try home.json(try #require(try FileSystem.contents(file)))
    let entries = try #require(document["syscalls"]?["allow"]?.elements)
    let sync = try #require(entries.firstIndex { $0.string == "sync" })
    var rest = entries
    rest.remove(at: sync)
    var members = document.members ?? []
    members.removeAll { $0.name == "syscalls" }
    members.append(.init("syscalls", ["allow": .array(rest)]))
    let less = try home.write("less.json", JSONValue.object(members).text(.compact))
    let refused = try home.exec(program, options: ["--policy", less])
    #expect((refused.record["refusals"]?.elements ?? []).contains { $0["call"]?.string == "sync" })
  }

  @Test(arguments: TestUser.available)
  func `the learned policy is sufficient and minimal, and core calls stay refused`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let probe = try Self.probe(home), file = home.file("learned.json")
    let (report, errors, code) = try Self.learn(home, ["--output", file], [probe, "needs"])
    #expect(code == 0, "\(errors)")
    #expect(Self.proposed(report) == Self.needed, "\(report)")
    // Core calls are refused twice: in the learning run and in the run under the proposal.
    for call in Self.core {
      #expect(errors.split(separator: "\n").count { $0 == "\(call) 1" } == 2, "\(errors)")
    }
    for call in Self.needed {
      #expect(errors.split(separator: "\n").count { $0 == "\(call) 0" } == 2, "\(errors)")
    }
    let never = report["trial"]?["core"]?.elements?.compactMap(\.string) ?? []
    #expect(never.count == 3 && zip(never, Self.core).allSatisfy { $0.hasPrefix("\($1)(") }, "\(never)")
    #expect(report["trial"]?["refusals"]?.elements?.isEmpty == true, "\(report)")

    func refused(_ policy: String) throws -> Set<String> {
      let session = try home.exec([probe, "needs"], options: ["--policy", policy])
      return Set((session.record["refusals"]?.elements ?? []).compactMap { $0["call"]?.string })
        .subtracting(Self.core)
    }
    #expect(try refused(file).isEmpty)
    guard user == .regular else { return }
    let document = try home.json(try #require(try FileSystem.contents(file)))
    let entries = try #require(document["syscalls"]?["allow"]?.elements)
    for (index, call) in Self.needed.enumerated() {
      var rest = entries
      rest.remove(at: index)
      let less: JSONValue = ["name": "less", "extends": "capture", "syscalls": ["allow": .array(rest)]]
      #expect(try refused(try home.write("less.json", less.text(.compact))) == [call])
    }
  }

  @Test(arguments: TestUser.available)
  func `runs accumulate, output files are not replaced, and the base policy is unchanged`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let probe = try Self.probe(home)
    let base = try home.write(
      "base.json",
      #"{"name":"mine","extends":"base","syscalls":{"deny":["flock"]}}"#
    )
    let before = try FileSystem.contents(base)
    let options = ["--base", base, "--untried", "--state", home.file("state.json")]
    _ = try Self.learn(home, options, [probe, "exit", "0"])
    let (report, _, code) = try Self.learn(home, options + ["--runs", "2"], [probe, "needs"])
    #expect(code == 0)
    #expect(
      report["runs"]?.elements?.map { $0["new"]?.elements?.count } == [0, 3, 0],
      "\(report["runs"] as Any)"
    )
    #expect(report["stableRuns"]?.integer == 1)
    #expect(report["trial"] == nil)
    // A user's policy cannot be extended, so the proposal is a changed copy of it.
    let document = try #require(report["proposal"]?["document"])
    #expect(document["name"]?.string == "mine" && document["syscalls"]?["deny"] == ["flock"])
    #expect(try FileSystem.contents(base) == before)

    let refused = try home.darkroom("policy", ["learn", "--output", base, "--", "true"])
    #expect(
      refused.code == 73 && refused.errors.contains("\(base): File exists (EEXIST)"),
      "\(refused.errors)"
    )
    #expect(try FileSystem.contents(base) == before)
    let other = try home.darkroom(
      "policy",
      ["learn", "--state", home.file("state.json"), "--", probe, "exit", "0"]
    )
    #expect(other.code == 65 && other.errors.contains("--fresh"), "\(other.errors)")
    let fresh = ["learn", "--fresh", "--untried", "--state"]
    let again = try home.darkroom("policy", fresh + [home.file("state.json"), "--", probe, "exit", "0"])
    #expect(again.code == 0, "\(again.errors)")
    // A file that is not a state file is not overwritten.
    let wrong = try home.darkroom("policy", fresh + [base, "--", probe, "exit", "0"])
    #expect(wrong.code == 65 && wrong.errors.contains("into another file"), "\(wrong.errors)")
    #expect(try FileSystem.contents(base) == before)
  }

  @Test(arguments: TestUser.available)
  func `learns from a base policy that is read from a pipe`(user: TestUser) throws {
    let home = try TestHome(user)
    let policy = #"{"name":"piped","extends":"base","syscalls":{"deny":["flock"]}}"#
    let command = """
      printf %s '\(policy)' | '\(home.programs.darkroom)' policy learn --root '\(home.root)' --json --base /dev/stdin \
        -- '\(try Self.probe(home))' needs
      """
    let result = try home.start(["/bin/sh", "-c", command]).end()
    #expect(result.code == 0, "\(result.errors)")
    let proposal = try home.json(result.output)["proposal"]?["document"]
    #expect(proposal?["name"]?.string == "piped" && proposal?["syscalls"]?["deny"] == ["flock"])
  }

  @Test func `with --all, reports every call of the program and unused allowed calls`()
    throws
  {
    let home = try TestHome(.regular)
    let (report, errors, code) = try Self.learn(
      home,
      ["--all", "--base", "strict", "--untried"],
      [try Self.probe(home), "exit", "3"]
    )
    #expect(code == 3, "\(errors)")
    let calls = Set((report["calls"]?.elements ?? []).compactMap { $0["call"]?.string })
    #expect(calls.contains("brk") || calls.contains("mprotect"), "\(calls)")
    for call in ["sendmsg", "seccomp", "execveat", "close_range", "setsid", "landlock_restrict_self"] {
      #expect(!calls.contains(call), "\(calls)")
    }
    let unused = report["unused"]?["calls"]?.elements?.compactMap(\.string) ?? []
    #expect(unused.contains("timerfd_create") && !unused.contains("exit_group"), "\(unused)")
  }

  @Test func `records many kinds of calls in a state file of bounded size`() throws {
    let home = try TestHome(.regular)
    let state = home.file("state.json")
    let (report, errors, code) = try Self.learn(
      home,
      ["--untried", "--state", state],
      [try Self.probe(home), "flood-kinds"]
    )
    #expect(code == 0, "\(errors)")
    #expect(report["runs"]?.elements?.first?["calls"]?.integer == 4000)
    #expect((report["calls"]?.elements ?? []).count == 64)
    #expect(try #require(try FileSystem.contents(state)).count < 1 << 16)
  }

  @Test func `the record marks a learning session, and only that`() throws {
    let home = try TestHome(.regular)
    func filter(_ session: TestHome.Session) throws -> JSONValue {
      let layers = try #require(session.record["enforcement"]?["layers"]?.elements)
      return try #require(layers.first { $0["name"]?.string == "seccomp" })
    }
    let learned = try home.exec(
      [try Self.probe(home), "needs"],
      options: ["--learn", home.file("state.json")]
    )
    #expect(try filter(learned)["state"]?.string == "learning")
    #expect(learned.record["enforcement"]?["status"]?.string == "partial")
    #expect(
      learned.command.errors.contains("learned: + {\"call\":\"shmget\""),
      "\(learned.command.errors)"
    )
    #expect(Self.core.allSatisfy { learned.command.text.contains("\($0) 1\n") }, "\(learned.command.text)")
    let regular = try home.exec(["true"])
    #expect(try filter(regular)["state"]?.string == "enforced")
  }

  @Test func `refuses attempts on the core in a learning session`() throws {
    let home = try TestHome(.regular)
    let probe = try Self.probe(home)
    let core = [
      "socket", "socket-unix 1", "socket-netlink 16", "socketpair-datagrams", "attach-filter", "accept4",
      "unshare-user",
      "unshare-high",
      "clone-high", "clone-time", "clone3", "mount", "io_uring_setup", "io_uring_enter", "ioctl-TIOCSTI-high",
      "ioctl-TIOCLINUX-high", "seccomp-filter-listener", "listener-high", "personality-high", "call-9999",
    ]
    // The last attempt shows that the learning filter permits other calls.
    let arguments = (core + ["sync"]).map { "\(probe) \($0) >/dev/null; echo $?" }.joined(separator: "; ")
    let session = try home.exec(
      ["sh", "-c", arguments],
      options: ["--learn", home.file("state.json"), "--read-only", probe]
    )
    let codes = session.command.text.split(separator: "\n").map(String.init)
    #expect(codes == Array(repeating: "10", count: core.count) + ["0"], "\(zip(core, codes).map { $0 })")
  }

  @Test func `learns from an installed extension during a session`() throws {
    let home = try TestHome(.regular)
    try home.installWithoutSwift()
    let state = home.file("state.json")
    let session = try home.run("notes", script: "wait 100ms\ndismiss\n", options: ["--learn", state])
    let layers = session.record["enforcement"]?["layers"]?.elements ?? []
    #expect(layers.contains { $0["state"]?.string == "learning" }, "\(session.command.errors)")
    let picture = try home.json(try #require(try FileSystem.contents(state)))
    #expect(picture["subject"] == ["org.darkroom.sample.notes"] && picture["runs"]?.elements?.count == 1)
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `refuses to learn without namespaces, and gives the reason`() throws {
    let home = try TestHome(.regular)
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    let policy = try home.write(
      "loose.json",
      #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission)}"#
    )
    let result = try home.darkroom("policy", ["learn", "--base", policy, "--", "true"])
    #expect(result.code == 126 || result.code == 71, "\(result.code)")
    #expect(result.errors.contains("learning requires user namespaces"), "\(result.errors)")
  }
}
