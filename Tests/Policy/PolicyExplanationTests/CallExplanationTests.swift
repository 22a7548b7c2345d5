// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import PolicyExplanation
import Refusals
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import Testing

/// Compares the explanation of a call with the compiled filter and with the lines of the policy.
@Suite(.timeLimit(.minutes(20))) struct CallExplanationTests {
  /// Returns the explanation of a call under a policy.
  static func explain(
    _ call: String,
    _ policy: ResolvedPolicy,
    on architecture: CallArchitecture = .native,
    mode: SessionMode = .namespaces
  ) throws -> CallExplanation {
    CallExplanation(of: try CallText.parse(call, on: architecture), under: policy, mode: mode)
  }

  /// Returns the lines of an explanation as one text.
  static func text(_ call: String, _ policy: String) throws -> String {
    try explain(call, PolicyFixture.shipped(policy)).lines(width: 10_000).joined(separator: "\n")
  }

  /// Returns the behavior of the compiled filter of a policy.
  static func behavior(_ policy: ResolvedPolicy) throws -> FilterBehavior {
    try CallSpace().behavior(of: FilterProgram(bytes: SeccompCompiler.compile(policy).instructions))
  }

  @Test(arguments: ["base", "strict"], [SessionMode.namespaces, .restricted(signalsAreScoped: false)])
  func `the compiled filter agrees with the explanation of every call`(name: String, mode: SessionMode)
    throws
  {
    let policy = try PolicyFixture.shipped(name)
    let behavior = try Self.behavior(mode.effective(policy))
    for architecture in CallArchitecture.ofThisMachine {
      for call in CallTable.of(architecture).names + ["999", "0x7fffffff", "-1"] {
        let explanation = try Self.explain(call, policy, on: architecture, mode: mode)
        #expect(try explanation.disagreement(with: behavior) == nil, "\(call) on \(architecture)")
      }
    }
  }

  @Test(arguments: [
    "clone(CLONE_NEWUSER)", "prctl(PR_SET_NAME)", "prctl(PR_SET_PTRACER)", "ioctl(0, TCGETS)",
    "ioctl(_, TIOCSTI)",
    "openat(_, _, O_RDONLY)", "openat(_, _, O_CREAT, 04644)", "mmap(_, _, PROT_EXEC)", "fchmod(3, 04755)",
    "ioctl(0, 0x100005401)", "fcntl(_, F_SETLEASE)", "kill(0)", "prlimit64(1)",
  ])
  func `the compiled filter agrees with the explanation of calls with arguments`(call: String) throws {
    for name in ["base", "strict"] {
      let policy = try PolicyFixture.shipped(name)
      let explanation = try Self.explain(call, policy)
      #expect(try explanation.disagreement(with: Self.behavior(policy)) == nil, "\(call)")
    }
  }

  @Test func `finds a disagreement between filter and explanation with a witness call`() throws {
    let (base, strict) = (try PolicyFixture.shipped("base"), try PolicyFixture.shipped("strict"))
    let found = try #require(try Self.explain("mmap", strict).disagreement(with: Self.behavior(base)))
    #expect(found.explained == .denied(.notPermitted) && found.compiled == .allow)
    #expect(found.input.arguments[2] & 4 == 4)
    #expect(found.description.hasPrefix("mmap("))
    #expect(
      found.description.hasSuffix("the explanation predicts EPERM, but the compiled filter returns ALLOW")
    )
    // An explanation with arguments covers only these arguments.
    #expect(try Self.explain("mmap(_, _, PROT_READ)", strict).disagreement(with: Self.behavior(base)) == nil)
    let other = try #require(try Self.explain("getxattr", base).disagreement(with: Self.behavior(strict)))
    #expect(other.explained == .allowed && other.compiled == .errno(95))
  }

  @Test(arguments: [
    ("socket(AF_VSOCK, SOCK_STREAM, 0)", "strict", "fails with EPERM and is reported to the host"),
    ("socket(AF_VSOCK, SOCK_STREAM, 0)", "strict", "to allow it: impossible under any policy."),
    ("41", "base", "core area network"),
    ("0x29", "base", "socket (x86_64, number 41)"),
    ("read", "base", "whatever its arguments are (base.json:7:19 by @basic-io)"),
    ("read", "capture", "is allowed"),
    ("fork", "strict", "strict.json:55:23 denies the call, and a denial overrides"),
    ("clone3", "base", "fails with ENOSYS and is not reported to the host"),
    ("clone3", "base", "the filter cannot read the flags of clone3"),
    ("sysinfo", "strict", "the error means that the kernel lacks the call"),
    ("getxattr", "strict", "fails with EOPNOTSUPP and is not reported to the host"),
    ("999", "base", "this version of Darkroom knows no call with this number"),
    ("prctl", "base", "depends on its arguments"),
    ("prctl", "base", "  · option is PR_SET_NAME (base.json:81:7)"),
    ("prctl(PR_SET_PTRACER)", "base", "but option is PR_SET_PTRACER"),
    ("prctl(PR_SET_PTRACER)", "base", #"{"index":0,"equals":"PR_SET_PTRACER"}"#),
    ("clone", "base", "Otherwise, the call fails with EPERM"),
    (
      "clone(CLONE_NEWUSER)", "base",
      "an extension cannot create or enter namespaces, whatever its policy allows"
    ),
    (
      "socketpair", "base", #"{"index":0,"equals":"AF_UNIX"},{"index":1,"mask":"0xf","equals":"0x1"}"#
    ),
    ("socketpair(AF_UNIX, SOCK_DGRAM)", "capture", "to allow it: impossible under any policy."),
    ("sendmsg(3, 0, MSG_OOB)", "capture", "out-of-band data"),
    ("socketpair(AF_INET)", "base", "to allow it: impossible under any policy."),
    ("execve", "strict", #""execute": "once" (strict.json:74:14) governs the call"#),
    ("openat", "base", "see 'darkroom explain PATH'"),
    ("ioctl(0, 0x500005401)", "base", "the lower 32 bits"),
  ])
  func `the explanation names what decides the answer`(call: String, policy: String, words: String) throws {
    let text = try Self.text(call, policy)
    #expect(text.contains(words), "\(text)")
  }

  @Test(.enabled(if: CallArchitecture.native == .x86, "SKIP: only x86 machines have these architectures"))
  func `a call of another architecture terminates the process`() throws {
    for (call, architecture) in [("read", CallArchitecture.x32), ("socketcall", .i386), ("0x40000000", .x86)]
    {
      let explanation = try Self.explain(call, PolicyFixture.shipped("base"), on: architecture)
      #expect(explanation.answer == .killed && explanation.json["answer"] == "killed")
      #expect(
        explanation.parts.first?.reason?.contains("calls of other architectures could bypass it") == true
      )
    }
  }

  @Test func `an unconditional rule hides the narrower rules of the same call`() throws {
    let policy = try PolicyFixture.policy(
      #"{"name": "mine", "extends": "base", "syscalls": {"allow": ["@system-service"]}}"#
    )
    let explanation = try Self.explain("fcntl", policy)
    let rules = try #require(explanation.parts.first).rules
    #expect(explanation.answer == .allowed)
    #expect(rules.map(\.origin.description) == ["mine.json:1:60"])
    #expect(rules.map(\.groups) == [["@system-service", "@file-system"]])
    #expect(explanation.notes.contains { $0.contains("base.json:29:7 and 2 others") })
    // The group contains socket but does not allow it, because socket is a core call.
    let socket = try Self.explain("socket", policy)
    #expect(socket.answer == .denied(.notPermitted))
    #expect(
      socket.notes.contains {
        $0.contains("a member of @system-service (mine.json:1:60), but groups do not include")
      }
    )
  }

  @Test func `explains a call that a session without namespaces revokes`() throws {
    let policy = try PolicyFixture.policy(
      #"{"name": "loose", "extends": "base", "bestEffort": ["userNamespace"]}"#
    )
    let mode = SessionMode.restricted(signalsAreScoped: true)
    let explanation = try Self.explain("chmod(_, 0644)", policy, mode: mode)
    #expect(explanation.answer == .denied(.notPermitted))
    let part = try #require(explanation.parts.first)
    #expect(
      part.reason?.hasPrefix(
        "the policy loose allows the call, but without namespaces, the call can change or read"
      ) == true
    )
    #expect(part.fix?.policy == nil && part.origin == .elsewhere)
    #expect(try Self.explain("chmod(_, 0644)", policy).answer == .allowed)
  }

  @Test(arguments: ["base", "strict"])
  func `the suggested change allows the call`(name: String) throws {
    for call in [
      "shmget", "prctl(PR_SET_PTRACER)", "socketpair(AF_UNIX, 1)", "ioctl(0, TIOCGPTN)", "sysinfo", "mincore",
    ] {
      let explanation = try Self.explain(call, PolicyFixture.shipped(name))
      guard let part = explanation.parts.first(where: { $0.answer != .allowed }) else { continue }
      let json = try #require(part.fix?.policy?.json, "\(call)")
      let fixed = try PolicyFixture.policy(json.text(.compact))
      #expect(try Self.explain(call, fixed).answer == .allowed, "\(call): \(json.text(.compact))")
    }
  }

  @Test func `an explanation has JSON`() throws {
    let json = try Self.explain("prctl", PolicyFixture.shipped("strict")).json
    #expect(json["answer"] == "depends" && json["name"] == "prctl" && json["architecture"]?.string != nil)
    let parts = try #require(json["parts"]?.elements)
    #expect(parts.map { $0["answer"] } == ["allowed", "EPERM"])
    #expect(parts[0]["rules"]?.elements?.first?["origin"] == "strict.json:47:7")
    #expect(parts[0]["rules"]?.elements?.first?["condition"] == "option is PR_SET_NAME")
    #expect(parts[1]["reported"] == .bool(true) && parts[1]["origin"]?["kind"] == "otherArguments")
  }
}
