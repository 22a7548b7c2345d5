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
  private static func probe(_ place: Place) throws -> String {
    let probe = try FileSystem.contents("\(place.programs.directory)/bin/darkroom-probe", limit: 1 << 26)
    try FileSystem.replaceContents(place.file("probe"), with: probe ?? [], mode: 0o755)
    try place.give(place.file("probe"))
    return place.file("probe")
  }

  /// Learns from a program and returns the report.
  private static func learn(
    _ place: Place,
    _ options: [String],
    _ program: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (report: JSONValue, errors: String, code: Int32) {
    let words = ["learn", "--json"] + options + ["--"] + program
    let result = try place.darkroom("policy", words)
    try #require(!result.output.isEmpty, "\(result.code) \(result.errors)", sourceLocation: sourceLocation)
    return (try place.json(result.output), result.errors, result.code)
  }

  /// Returns the calls of a proposal.
  private static func proposed(_ report: JSONValue) -> [String] {
    (report["proposal"]?["additions"]?.elements ?? []).compactMap { addition in
      addition["rule"]?.string ?? addition["rule"]?["call"]?.string
    }
  }

  @Test(arguments: Person.available)
  func `a program runs under the least policy, which allows no call that it does not make`(person: Person)
    throws
  {
    let place = try Place(person)
    let file = place.file("least.json")
    let program = ["/usr/bin/python3", "-c", "import os; os.sync(); print(sum(range(9)))"]
    let (report, errors, code) = try Self.learn(place, ["--least", "--output", file], program)
    #expect(code == 0, "\(errors)")
    let calls = (report["least"]?["calls"]?.elements ?? []).compactMap(\.string)
    let base = try #require(report["least"]?["callsOfBase"]?.integer)
    // The program needs a call that capture refuses, and few of those that it allows.
    #expect(calls.contains("sync") && calls.contains("exit_group") && !calls.contains("flock"))
    #expect(calls.count < 80 && base > 180, "\(calls.count) of \(base)")
    #expect(report["trial"]?["refusals"]?.elements?.isEmpty == true, "\(report)")
    let session = try place.exec(program, options: ["--policy", file])
    session.expectSuccess()
    #expect(session.record["refusals"]?.elements?.isEmpty ?? true, "\(session.record)")
    // Another program needs more calls, which are refused.
    let other = try place.exec(
      ["/usr/bin/python3", "-c", "import fcntl, tempfile; fcntl.flock(tempfile.TemporaryFile(), 2)"],
      options: ["--policy", file]
    )
    #expect(other.command.code != 0)
    #expect(other.record["refusals"]?.elements?.isEmpty == false, "\(other.record)")
    guard person == .ordinary else { return }
    // The policy without one of its calls refuses that call.
    let document = try place.json(try #require(try FileSystem.contents(file)))
    let entries = try #require(document["syscalls"]?["allow"]?.elements)
    let sync = try #require(entries.firstIndex { $0.string == "sync" })
    var rest = entries
    rest.remove(at: sync)
    var members = document.members ?? []
    members.removeAll { $0.name == "syscalls" }
    members.append(.init("syscalls", ["allow": .array(rest)]))
    let less = try place.write("less.json", JSONValue.object(members).text(.compact))
    let refused = try place.exec(program, options: ["--policy", less])
    #expect((refused.record["refusals"]?.elements ?? []).contains { $0["call"]?.string == "sync" })
  }

  @Test(arguments: Person.available)
  func `what was learned suffices, none of it can be left out, and the core stays refused`(person: Person)
    throws
  {
    let place = try Place(person)
    let probe = try Self.probe(place), file = place.file("learned.json")
    let (report, errors, code) = try Self.learn(place, ["--output", file], [probe, "needs"])
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
      let session = try place.exec([probe, "needs"], options: ["--policy", policy])
      return Set((session.record["refusals"]?.elements ?? []).compactMap { $0["call"]?.string })
        .subtracting(Self.core)
    }
    #expect(try refused(file).isEmpty)
    guard person == .ordinary else { return }
    let document = try place.json(try #require(try FileSystem.contents(file)))
    let entries = try #require(document["syscalls"]?["allow"]?.elements)
    for (index, call) in Self.needed.enumerated() {
      var rest = entries
      rest.remove(at: index)
      let less: JSONValue = ["name": "less", "extends": "capture", "syscalls": ["allow": .array(rest)]]
      #expect(try refused(try place.write("less.json", less.text(.compact))) == [call])
    }
  }

  @Test(arguments: Person.available)
  func `runs add up, a file is never replaced, and nothing is applied`(person: Person) throws {
    let place = try Place(person)
    let probe = try Self.probe(place)
    let base = try place.write(
      "base.json",
      #"{"name":"mine","extends":"base","syscalls":{"deny":["flock"]}}"#
    )
    let before = try FileSystem.contents(base)
    let options = ["--base", base, "--untried", "--state", place.file("state.json")]
    _ = try Self.learn(place, options, [probe, "exit", "0"])
    let (report, _, code) = try Self.learn(place, options + ["--runs", "2"], [probe, "needs"])
    #expect(code == 0)
    #expect(
      report["runs"]?.elements?.map { $0["new"]?.elements?.count } == [0, 3, 0],
      "\(report["runs"] as Any)"
    )
    #expect(report["quietRuns"]?.integer == 1)
    #expect(report["trial"] == nil)
    // A user's policy cannot be extended, so the proposal is a changed copy of it.
    let document = try #require(report["proposal"]?["document"])
    #expect(document["name"]?.string == "mine" && document["syscalls"]?["deny"] == ["flock"])
    #expect(try FileSystem.contents(base) == before)

    let refused = try place.darkroom("policy", ["learn", "--output", base, "--", "true"])
    #expect(refused.code == 73 && refused.errors.contains("is there already"), "\(refused.errors)")
    #expect(try FileSystem.contents(base) == before)
    let other = try place.darkroom(
      "policy",
      ["learn", "--state", place.file("state.json"), "--", probe, "exit", "0"]
    )
    #expect(other.code == 65 && other.errors.contains("--fresh"), "\(other.errors)")
    let fresh = ["learn", "--fresh", "--untried", "--state"]
    let again = try place.darkroom("policy", fresh + [place.file("state.json"), "--", probe, "exit", "0"])
    #expect(again.code == 0, "\(again.errors)")
    // A file that is not a state file is not overwritten.
    let wrong = try place.darkroom("policy", fresh + [base, "--", probe, "exit", "0"])
    #expect(wrong.code == 65 && wrong.errors.contains("into another file"), "\(wrong.errors)")
    #expect(try FileSystem.contents(base) == before)
  }

  @Test(arguments: Person.available)
  func `a policy that a pipe gives can be learned by`(person: Person) throws {
    let place = try Place(person)
    let policy = #"{"name":"piped","extends":"base","syscalls":{"deny":["flock"]}}"#
    let command = """
      printf %s '\(policy)' | '\(place.programs.darkroom)' policy learn --root '\(place.root)' --json --base /dev/stdin \
        -- '\(try Self.probe(place))' needs
      """
    let result = try place.start(["/bin/sh", "-c", command]).end()
    #expect(result.code == 0, "\(result.errors)")
    let proposal = try place.json(result.output)["proposal"]?["document"]
    #expect(proposal?["name"]?.string == "piped" && proposal?["syscalls"]?["deny"] == ["flock"])
  }

  @Test func `with every call noted the launcher's own are absent, and what is allowed in vain is told`()
    throws
  {
    let place = try Place(.ordinary)
    let (report, errors, code) = try Self.learn(
      place,
      ["--all", "--base", "strict", "--untried"],
      [try Self.probe(place), "exit", "3"]
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

  @Test func `a flood of calls of many kinds is kept in a file of bounded size`() throws {
    let place = try Place(.ordinary)
    let state = place.file("state.json")
    let (report, errors, code) = try Self.learn(
      place,
      ["--untried", "--state", state],
      [try Self.probe(place), "flood-kinds"]
    )
    #expect(code == 0, "\(errors)")
    #expect(report["runs"]?.elements?.first?["calls"]?.integer == 4000)
    #expect((report["calls"]?.elements ?? []).count == 64)
    #expect(try #require(try FileSystem.contents(state)).count < 1 << 16)
  }

  @Test func `a session that is learned from says so in its record, and no other does`() throws {
    let place = try Place(.ordinary)
    func filter(_ session: Place.Session) throws -> JSONValue {
      let layers = try #require(session.record["enforcement"]?["layers"]?.elements)
      return try #require(layers.first { $0["name"]?.string == "seccomp" })
    }
    let learned = try place.exec(
      [try Self.probe(place), "needs"],
      options: ["--learn", place.file("state.json")]
    )
    #expect(try filter(learned)["state"]?.string == "learning")
    #expect(learned.record["enforcement"]?["status"]?.string == "partial")
    #expect(
      learned.command.errors.contains("learned: + {\"call\":\"shmget\""),
      "\(learned.command.errors)"
    )
    #expect(Self.core.allSatisfy { learned.command.text.contains("\($0) 1\n") }, "\(learned.command.text)")
    let ordinary = try place.exec(["true"])
    #expect(try filter(ordinary)["state"]?.string == "enforced")
  }

  @Test func `attempts on the core are refused as ever while a session is learned from`() throws {
    let place = try Place(.ordinary)
    let probe = try Self.probe(place)
    let core = [
      "socket", "socket-unix 1", "socket-netlink 16", "socketpair-datagrams", "attach-filter", "accept4",
      "unshare-user",
      "unshare-high",
      "clone-high", "clone-time", "clone3", "mount", "io_uring_setup", "io_uring_enter", "ioctl-TIOCSTI-high",
      "ioctl-TIOCLINUX-high", "seccomp-filter-listener", "listener-high", "personality-high", "call-9999",
    ]
    // The last attempt shows that the learning filter permits other calls.
    let words = (core + ["sync"]).map { "\(probe) \($0) >/dev/null; echo $?" }.joined(separator: "; ")
    let session = try place.exec(
      ["sh", "-c", words],
      options: ["--learn", place.file("state.json"), "--read-only", probe]
    )
    let codes = session.command.text.split(separator: "\n").map(String.init)
    #expect(codes == Array(repeating: "10", count: core.count) + ["0"], "\(zip(core, codes).map { $0 })")
  }

  @Test func `an installed extension is learned from while it runs`() throws {
    let place = try Place(.ordinary)
    try place.installSmall()
    let state = place.file("state.json")
    let session = try place.run("notes", script: "wait 100ms\ndismiss\n", options: ["--learn", state])
    let layers = session.record["enforcement"]?["layers"]?.elements ?? []
    #expect(layers.contains { $0["state"]?.string == "learning" }, "\(session.command.errors)")
    let picture = try place.json(try #require(try FileSystem.contents(state)))
    #expect(picture["subject"] == ["org.darkroom.sample.notes"] && picture["runs"]?.elements?.count == 1)
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `without namespaces nothing is learned, and the reason is said`() throws {
    let place = try Place(.ordinary)
    place.confinement = NamespaceRefusal.words
    let policy = try place.write(
      "loose.json",
      #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"]}"#
    )
    let result = try place.darkroom("policy", ["learn", "--base", policy, "--", "true"])
    #expect(result.code == 126 || result.code == 71, "\(result.code)")
    #expect(result.errors.contains("cannot be learned from"), "\(result.errors)")
  }
}
