// SPDX-License-Identifier: Apache-2.0

import PolicyLint
import SandboxPolicy
import Testing

/// Each call rule finds an excessive grant and ignores a similar safe grant.
@Suite struct CallRuleTests {
  /// A rule with calls that violate it and calls that conform to it.
  struct Example: Sendable, CustomTestStringConvertible {
    var rule: String
    /// The subject of each finding.
    var subjects: [String]
    /// The violating elements of `allow`.
    var wrong: String
    /// Similar elements without a finding.
    var right: String

    var testDescription: String { rule }
  }

  /// Returns an argument rule as JSON.
  private static func call(_ name: String, _ conditions: (Int, String, String)...) -> String {
    let arguments = conditions.map { #"{"index":\#($0.0),"mask":"\#($0.1)","equals":"\#($0.2)"}"# }
    return #"{"call":"\#(name)","arguments":[\#(arguments.joined(separator: ","))]}"#
  }

  static let examples: [Example] = [
    Example(
      rule: "DR1001",
      subjects: ["mmap", "mprotect", "shmat"],
      wrong: #""mmap","mprotect","shmat""#,
      right: call("mmap", (2, "PROT_EXEC", "0")) + "," + call("mprotect", (2, "PROT_EXEC", "0")) + ","
        + call("shmat", (2, "0x8000", "0"))
    ),
    // Executable memory that is never writable is required for shared libraries.
    Example(
      rule: "DR1001",
      subjects: ["mmap"],
      wrong: call("mmap", (2, "PROT_READ", "0x1")),
      right: call("mmap", (2, "PROT_WRITE|PROT_EXEC", "PROT_EXEC"))
    ),
    Example(
      rule: "DR1001",
      subjects: ["mprotect"],
      wrong: call("mprotect", (2, "PROT_WRITE|PROT_EXEC", "PROT_EXEC")),
      right: call("mprotect", (2, "PROT_WRITE|PROT_EXEC", "PROT_WRITE"))
    ),
    Example(
      rule: "DR1002",
      subjects: ["memfd_create"],
      wrong: call("memfd_create", (1, "0x8", "0")),
      right: call("memfd_create", (1, "0x8", "0x8"))
    ),
    Example(rule: "DR1101", subjects: ["move_pages"], wrong: #""move_pages""#, right: #""madvise""#),
    Example(
      rule: "DR1102",
      subjects: ["setuid", "capset"],
      wrong: #""setuid","capset""#,
      right: #""capget""#
    ),
    Example(
      rule: "DR1201",
      subjects: ["ioctl 0x80081272"],
      wrong: call("ioctl", (1, "0xffffffff", "BLKGETSIZE64")),
      right: call("ioctl", (1, "0xffffffff", "TCGETS"))
    ),
    Example(
      rule: "DR1202",
      subjects: ["ioctl 0x54ff"],
      wrong: call("ioctl", (1, "0xffffffff", "0x54ff")),
      right: call("ioctl", (1, "0xffffffff", "FIONREAD"))
    ),
    Example(
      rule: "DR1203",
      subjects: ["prctl"],
      wrong: call("prctl", (0, "0xfffffffe", "PR_SET_NO_NEW_PRIVS")),
      right: call("prctl", (0, "0xffffffff", "PR_SET_NO_NEW_PRIVS"))
    ),
    Example(
      rule: "DR1204",
      subjects: ["prctl PR_SET_MM", "prctl PR_SET_PTRACER"],
      wrong: call("prctl", (0, "0xffffffff", "PR_SET_MM")) + ","
        + call("prctl", (0, "0xffffffff", "PR_SET_PTRACER")),
      right: call("prctl", (0, "0xffffffff", "PR_SET_SECCOMP"))
    ),
    Example(
      rule: "DR1301",
      subjects: ["chmod", "openat"],
      wrong: #""chmod","# + call("openat", (2, "O_CREAT", "0")),
      right: call("chmod", (1, "S_ISUID|S_ISGID|S_ISVTX", "0")) + ","
        + call("openat", (2, "O_CREAT|__O_TMPFILE", "0"))
    ),
    Example(
      rule: "DR1301",
      subjects: ["openat"],
      wrong: call("openat", (3, "S_ISUID", "0")),
      right: call("openat", (3, "S_ISUID|S_ISGID", "0"))
    ),
    Example(rule: "DR1302", subjects: ["mknodat"], wrong: #""mknodat""#, right: #""mkdirat""#),
    Example(rule: "DR1303", subjects: ["symlinkat"], wrong: #""symlinkat""#, right: #""readlinkat""#),
    Example(rule: "DR1304", subjects: ["fsetxattr"], wrong: #""fsetxattr""#, right: #""fgetxattr""#),
    Example(rule: "DR1305", subjects: ["openat2"], wrong: #""openat2""#, right: #""openat""#),
    Example(rule: "DR1401", subjects: ["ustat"], wrong: #""ustat""#, right: #""statfs""#),
    Example(rule: "DR1402", subjects: ["vmsplice"], wrong: #""vmsplice""#, right: #""splice""#),
    Example(rule: "DR1403", subjects: ["@privileged"], wrong: #""@privileged""#, right: #""@signal""#),
    Example(rule: "DR1404", subjects: ["sysinfo"], wrong: #""sysinfo""#, right: #""uname""#),
    Example(
      rule: "DR1405",
      subjects: ["socketpair"],
      wrong: call("socketpair", (0, "0xffffffff", "AF_UNIX"), (1, "0xf", "SOCK_STREAM")),
      right: #""pipe2""#
    ),
    Example(
      rule: "DR2005",
      subjects: ["chown"],
      wrong: call("chown", (1, "0", "0")),
      right: call("chown", (1, "1", "0"))
    ),
    Example(
      rule: "DR2101",
      subjects: ["getpid", "close"],
      wrong: call("getpid", (0, "1", "0")) + "," + call("close", (1, "1", "0")),
      right: call("close_range", (2, "1", "0"))
    ),
    Example(
      rule: "DR2102",
      subjects: ["openat", "read"],
      wrong: call("openat", (1, "0xffffffff", "0")) + "," + call("read", (1, "0xfff", "0")),
      right: call("openat", (2, "O_CREAT", "0"))
    ),
    Example(
      rule: "DR2103",
      subjects: ["mmap"],
      wrong: call("mmap", (1, "0xf0000000", "0")),
      right: call("mmap", (2, "PROT_EXEC", "0"))
    ),
    Example(
      rule: "DR2104",
      subjects: ["write"],
      wrong: call("write", (0, "0xffffffff", "1")),
      right: call("openat", (0, "0xffffffff", "0xffffff9c"))
    ),
  ]

  @Test(arguments: examples) func `a rule finds what it is for, and not what is beside it`(example: Example)
    throws
  {
    let wrong = try Checked.findings(of: example.rule, in: #""syscalls":{"allow":[\#(example.wrong)]}"#)
    #expect(wrong.map(\.subject) == example.subjects)
    for finding in wrong {
      #expect(finding.keyPath.hasPrefix("syscalls.allow["), "\(finding)")
      #expect(finding.origin.source == "0.json")
    }
    #expect(try Checked.findings(of: example.rule, in: #""syscalls":{"allow":[\#(example.right)]}"#).isEmpty)
  }

  @Test func `a program from memory needs leave to start programs`() throws {
    let calls = #""syscalls":{"allow":["memfd_create"]}"#
    #expect(try Checked.findings(of: "DR1002", in: calls).count == 1)
    #expect(try Checked.findings(of: "DR1002", in: calls + #","execute":"once""#).isEmpty)
  }

  @Test func `a call that a group brings is found at the group, which is named`() throws {
    let findings = try Checked.findings(of: "DR1001", in: #""syscalls":{"allow":["read","@default"]}"#)
    #expect(findings.map(\.subject) == ["mmap", "mprotect"])
    #expect(findings.allSatisfy { $0.keyPath == "syscalls.allow[1]" && $0.message.contains("\"@default\"") })
    // The members that systemd chose for a group are not reported for a policy that uses the group.
    #expect(try Checked.findings(of: "DR1401", in: #""syscalls":{"allow":["@file-system"]}"#).isEmpty)
  }

  @Test func `a denied call is not found`() throws {
    let members = #""syscalls":{"allow":["@default"],"deny":["mmap"]}"#
    #expect(try Checked.findings(of: "DR1001", in: members).map(\.subject) == ["mprotect"])
  }

  /// Calls that programs need to start, with shown files or without, and calls that programs need to exit
  /// cleanly.
  static let needs: [(call: String, rule: String, shown: String)] = [
    ("arch_prctl", "DR2004", ""), ("mprotect", "DR2004", ""), ("mmap", "DR2004", "/opt/a"),
    ("openat", "DR2004", "/opt/a"), ("read", "DR2004", "/opt/a"), ("pread64", "DR2004", "/opt/a"),
    ("close", "DR2004", "/opt/a"), ("write", "DR2006", ""), ("futex", "DR2006", ""),
    ("rt_sigreturn", "DR2006", ""), ("exit_group", "DR2006", ""),
  ]

  @Test(arguments: needs.indices)
  func `a call is missed without which no program starts or ends well`(index: Int) throws {
    let (call, rule, shown) = Self.needs[index]
    func subjects(without: String, deny: String = "", showing: String) throws -> [String] {
      let calls = (Self.needs.map(\.call) + ["newfstatat", "brk"]).filter { $0 != without }
      let allow = calls.map { "\"\($0)\"" }.joined(separator: ",")
      let paths = showing.isEmpty ? "" : "\"\(showing)\""
      let members = #""syscalls":{"allow":[\#(allow)],"deny":[\#(deny)]},"readOnly":[\#(paths)]"#
      return try ["DR2004", "DR2006"].flatMap { rule in
        try Checked.findings(of: rule, in: members).map { "\(rule) \($0.subject) \($0.keyPath)" }
      }
    }
    #expect(try subjects(without: "", showing: shown).isEmpty)
    #expect(try subjects(without: call, showing: shown) == ["\(rule) \(call) name"])
    #expect(
      try subjects(without: "", deny: "\"\(call)\"", showing: shown) == ["\(rule) \(call) syscalls.deny[0]"]
    )
    // Calls that only the dynamic loader needs are not reported if no file is shown.
    if !shown.isEmpty { #expect(try subjects(without: call, showing: "").isEmpty) }
  }

  @Test func `one of two calls is enough where either does`() throws {
    let calls = Self.needs.map(\.call).filter { $0 != "mmap" }.map { "\"\($0)\"" }.joined(separator: ",")
    let none = try Checked.findings(of: "DR2004", in: #""syscalls":{"allow":[\#(calls)]}"#)
    #expect(none.map(\.message) == [#"neither "mmap" nor "brk" is allowed: no memory can be had"#])
    #expect(try Checked.findings(of: "DR2004", in: #""syscalls":{"allow":[\#(calls),"brk"]}"#).isEmpty)
    #expect(try Checked.findings(of: "DR2004", in: #""syscalls":{"allow":[\#(calls),"mmap"]}"#).isEmpty)
  }
}
