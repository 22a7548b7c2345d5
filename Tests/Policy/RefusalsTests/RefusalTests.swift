// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import Refusals
import SandboxPolicy
import Testing

@Suite struct RefusalTests {
  @Test func `a refused call of the core tells the author what to do instead`() throws {
    let refusal = try RefusalFixture.refusal("socket", [2, 1, 6])
    #expect(
      refusal.sentence
        == "python3 (thread 4711) was refused socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) by seccomp: an "
        + "extension has no network access, whatever its policy allows; write files to /session, and let the app send them"
    )
    #expect(refusal.origin == .core(.network))
    #expect(refusal.fix.policy == nil)
    #expect(refusal.errno == "EPERM" && refusal.layer == .seccomp)
  }

  @Test func `a call without a rule is explained with the policy to write`() throws {
    let refusal = try RefusalFixture.refusal("sync", [])
    #expect(
      refusal.sentence
        == "python3 (thread 4711) was refused sync() by seccomp: no rule in capture.json, base.json allows the call; "
        + #"to allow it, use a policy file with {"name":"my-capture","extends":"capture","syscalls":{"allow":["sync"]}}"#
        + " instead of capture"
    )
  }

  @Test func `a call with wrong arguments is explained with the failed condition`() throws {
    let refusal = try RefusalFixture.refusal("fchmod", [3, 0o4755])
    let place = try RefusalFixture.position(of: #"{"call": "fchmod","#, in: "base.json")
    #expect(
      refusal.reason
        == "\(place) allows the call only if mode & S_ISUID|S_ISGID|S_ISVTX is 0, but it is S_ISUID"
    )
    let many = try RefusalFixture.refusal("prctl", [22, 1, 0, 0, 0])
    let rules = try RefusalFixture.policy("base").rules(for: "prctl").count
    #expect(
      many.reason.hasSuffix(
        "\(rules - 1) other rules allow the call only with other arguments, but option is PR_SET_SECCOMP"
      )
    )
    #expect(many.reason.hasPrefix("base.json:"))
  }

  @Test func `a denied call is explained with the denying line`() throws {
    let refusal = try RefusalFixture.refusal("vfork", [], policy: "strict")
    guard case .denied(let lines) = refusal.origin, let line = lines.first, lines.count == 1 else {
      Issue.record("\(refusal.origin)")
      return
    }
    #expect(line.description == (try RefusalFixture.position(of: #""vfork""#, in: "strict.json")))
    #expect(refusal.sentence.contains("\(line) denies the call, and a denial overrides every rule"))
    #expect(refusal.fix.policy?.json?["syscalls"] == ["allow": ["vfork"]])
  }

  @Test func `a denial is reported even if another document of the chain allows the call`() throws {
    let own = #"{"name": "own", "extends": "capture", "syscalls": {"deny": ["getppid"]}}"#
    let library = try PolicyLibrary(texts: ShippedPolicies.texts + [("own.json", Array(own.utf8))])
    let policy = try #require(try library.policy(named: "own"))
    let refusal = Refusal(try RefusalFixture.call("getppid", []), policy: policy)
    let place = try RefusalFixture.position(of: #""getppid""#, in: "own.json", own)
    #expect(refusal.reason == "\(place) denies the call, and a denial overrides every rule")
  }

  @Test func `a second program under strict is explained with the execute permission`() throws {
    let refusal = try RefusalFixture.refusal(
      "execve",
      [0x1000, 0, 0],
      memory: [0: RefusalFixture.text("/bin/sh")],
      policy: "strict"
    )
    #expect(refusal.sentence.contains(#"execve("/bin/sh", NULL, NULL)"#))
    #expect(refusal.reason.contains("\"execute\" in strict.json:"))
    #expect(refusal.fix.policy?.json?["execute"] == "any")
  }

  /// Calls that a policy can allow only with other arguments.
  @Test(arguments: [
    ("clone", [0x1000_0011] as [UInt64], CoreArea.namespaces), ("ioctl", [0, 0x5412, 0], .deviceRequests),
    ("ioctl", [0, 1 << 32 | 0x5412, 0], .deviceRequests), ("socketpair", [2, 1, 0], .network),
    ("personality", [8], .personality), ("seccomp", [1, 8, 0], .filterListeners),
  ])
  func `a call that the core forbids gets no suggested policy`(
    call: String,
    arguments: [UInt64],
    area: CoreArea
  ) throws {
    for policy in ["base", "capture", "strict"] {
      let refusal = try RefusalFixture.refusal(call, arguments, policy: policy)
      #expect(refusal.origin == .core(area))
      #expect(refusal.fix.policy == nil)
      #expect(refusal.fix.alternative != nil)
      #expect(refusal.sentence.contains("whatever its policy allows"))
    }
  }

  @Test func `the fix for a custom policy changes it instead of extending it`() throws {
    var policy = try RefusalFixture.policy("capture")
    policy.extensibility = .document("./mine.json")
    let refusal = Refusal(try RefusalFixture.call("sync", []), policy: policy)
    #expect(
      refusal.fix.text
        == #"to allow it, add {"syscalls":{"allow":["sync"]}} to "./mine.json""#
    )
  }

  /// Calls that another layer refuses under every policy, with the reason.
  @Test(arguments: [
    ("mknod", [0x1000, 0x6000, 1] as [UInt64], "Landlock refuses device nodes and sockets"),
    ("mknodat", [0xFFFF_FF9C, 0x1000, 0xC000, 0], "Landlock refuses device nodes and sockets"),
    ("setgroups", [0, 0], "a session lacks the capability CAP_SETGID"),
    ("prctl", [24, 0], "a session lacks the capability CAP_SETPCAP"),
    ("setuid", [0], "a session has no capabilities to change its user or group"),
  ])
  func `a call that another layer refuses gets no suggested policy`(
    call: String,
    arguments: [UInt64],
    reason: String
  ) throws {
    let refusal = try RefusalFixture.refusal(call, arguments)
    #expect(refusal.reason == "\(reason), whatever its policy allows")
    #expect(refusal.fix.policy == nil)
  }

  /// Files that Landlock permits only in the container.
  @Test(arguments: [("symlink", [0x1000, 0x2000] as [UInt64]), ("mknod", [0x1000, 0x1000, 0])])
  func `the fix names the only directory in which Landlock permits a call`(
    call: String,
    arguments: [UInt64]
  ) throws {
    let fix = try RefusalFixture.refusal(call, arguments).fix
    #expect(
      fix.text.contains(
        "; to allow it below /container (Landlock refuses it elsewhere), use a policy file with "
      )
    )
    #expect(fix.json["policy"]?["caveat"] == "Landlock refuses it outside /container")
  }

  @Test func `suggests an alternative only for the refused arguments`() throws {
    // strict does not allow chmod with any mode.
    let plain = try RefusalFixture.refusal("chmod", [0x1000, 0o644], policy: "strict")
    #expect(plain.fix.alternative == nil && plain.fix.policy?.caveat == nil)
    let special = try RefusalFixture.refusal("chmod", [0x1000, 0o4755], policy: "strict")
    #expect(special.fix.alternative == "omit the set-user-ID, set-group-ID and sticky bits")
    #expect(special.fix.policy?.caveat == "the special bits are cleared before the app receives the file")
    let data = try RefusalFixture.refusal("pkey_mprotect", [0x1000, 4096, 1, 0], policy: "strict")
    #expect(data.fix.alternative == nil)
    let code = try RefusalFixture.refusal("pkey_mprotect", [0x1000, 4096, 5, 0], policy: "strict")
    #expect(code.fix.alternative == "do not create code at run time")
  }

  @Test func `the JSON of a refusal has the content of its sentence`() throws {
    let json = try RefusalFixture.refusal("fchmod", [3, 0o4755]).json
    let place = try RefusalFixture.position(of: #"{"call": "fchmod","#, in: "base.json")
    #expect(json["layer"] == "seccomp" && json["call"] == "fchmod" && json["thread"] == 4711)
    #expect(json["arguments"]?.elements?[1] == ["name": "mode", "value": "0x9ed", "text": "S_ISUID|0o755"])
    #expect(json["origin"]?["kind"] == "otherArguments")
    #expect(json["origin"]?["lines"]?.elements?.first?["line"]?.string == place)
    #expect(json["fix"]?["policy"]?["extending"] == "capture")
    #expect(json["sentence"]?.string?.contains("fchmod(3, S_ISUID|0o755)") == true)
  }
}
