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
    var violating: String
    /// Similar elements without a finding.
    var conforming: String

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
      violating: #""mmap","mprotect","shmat""#,
      conforming: call("mmap", (2, "PROT_EXEC", "0")) + "," + call("mprotect", (2, "PROT_EXEC", "0")) + ","
        + call("shmat", (2, "0x8000", "0"))
    ),
    // Executable memory that is never writable is required for shared libraries.
    Example(
      rule: "DR1001",
      subjects: ["mmap"],
      violating: call("mmap", (2, "PROT_READ", "0x1")),
      conforming: call("mmap", (2, "PROT_WRITE|PROT_EXEC", "PROT_EXEC"))
    ),
    Example(
      rule: "DR1001",
      subjects: ["mprotect"],
      violating: call("mprotect", (2, "PROT_WRITE|PROT_EXEC", "PROT_EXEC")),
      conforming: call("mprotect", (2, "PROT_WRITE|PROT_EXEC", "PROT_WRITE"))
    ),
    Example(
      rule: "DR1002",
      subjects: ["memfd_create"],
      violating: call("memfd_create", (1, "0x8", "0")),
      conforming: call("memfd_create", (1, "0x8", "0x8"))
    ),
    Example(rule: "DR1101", subjects: ["move_pages"], violating: #""move_pages""#, conforming: #""madvise""#),
    Example(
      rule: "DR1102",
      subjects: ["setuid", "capset"],
      violating: #""setuid","capset""#,
      conforming: #""capget""#
    ),
    Example(
      rule: "DR1201",
      subjects: ["ioctl 0x80081272"],
      violating: call("ioctl", (1, "0xffffffff", "BLKGETSIZE64")),
      conforming: call("ioctl", (1, "0xffffffff", "TCGETS"))
    ),
    Example(
      rule: "DR1202",
      subjects: ["ioctl 0x54ff"],
      violating: call("ioctl", (1, "0xffffffff", "0x54ff")),
      conforming: call("ioctl", (1, "0xffffffff", "FIONREAD"))
    ),
    Example(
      rule: "DR1203",
      subjects: ["prctl"],
      violating: call("prctl", (0, "0xfffffffe", "PR_SET_NO_NEW_PRIVS")),
      conforming: call("prctl", (0, "0xffffffff", "PR_SET_NO_NEW_PRIVS"))
    ),
    Example(
      rule: "DR1204",
      subjects: ["prctl PR_SET_MM", "prctl PR_SET_PTRACER"],
      violating: call("prctl", (0, "0xffffffff", "PR_SET_MM")) + ","
        + call("prctl", (0, "0xffffffff", "PR_SET_PTRACER")),
      conforming: call("prctl", (0, "0xffffffff", "PR_SET_SECCOMP"))
    ),
    Example(
      rule: "DR1301",
      subjects: ["chmod", "openat"],
      violating: #""chmod","# + call("openat", (2, "O_CREAT", "0")),
      conforming: call("chmod", (1, "S_ISUID|S_ISGID|S_ISVTX", "0")) + ","
        + call("openat", (2, "O_CREAT|__O_TMPFILE", "0"))
    ),
    Example(
      rule: "DR1301",
      subjects: ["openat"],
      violating: call("openat", (3, "S_ISUID", "0")),
      conforming: call("openat", (3, "S_ISUID|S_ISGID", "0"))
    ),
    Example(rule: "DR1302", subjects: ["mknodat"], violating: #""mknodat""#, conforming: #""mkdirat""#),
    Example(
      rule: "DR1303",
      subjects: ["symlinkat"],
      violating: #""symlinkat""#,
      conforming: #""readlinkat""#
    ),
    Example(rule: "DR1304", subjects: ["fsetxattr"], violating: #""fsetxattr""#, conforming: #""fgetxattr""#),
    Example(rule: "DR1305", subjects: ["openat2"], violating: #""openat2""#, conforming: #""openat""#),
    Example(rule: "DR1401", subjects: ["ustat"], violating: #""ustat""#, conforming: #""statfs""#),
    Example(rule: "DR1402", subjects: ["vmsplice"], violating: #""vmsplice""#, conforming: #""splice""#),
    Example(
      rule: "DR1403",
      subjects: ["@privileged"],
      violating: #""@privileged""#,
      conforming: #""@signal""#
    ),
    Example(rule: "DR1404", subjects: ["sysinfo"], violating: #""sysinfo""#, conforming: #""uname""#),
    Example(
      rule: "DR1405",
      subjects: ["socketpair"],
      violating: call("socketpair", (0, "0xffffffff", "AF_UNIX"), (1, "0xf", "SOCK_STREAM")),
      conforming: #""pipe2""#
    ),
    Example(
      rule: "DR2005",
      subjects: ["chown"],
      violating: call("chown", (1, "0", "0")),
      conforming: call("chown", (1, "1", "0"))
    ),
    Example(
      rule: "DR2101",
      subjects: ["getpid", "close"],
      violating: call("getpid", (0, "1", "0")) + "," + call("close", (1, "1", "0")),
      conforming: call("close_range", (2, "1", "0"))
    ),
    Example(
      rule: "DR2102",
      subjects: ["openat", "read"],
      violating: call("openat", (1, "0xffffffff", "0")) + "," + call("read", (1, "0xfff", "0")),
      conforming: call("openat", (2, "O_CREAT", "0"))
    ),
    Example(
      rule: "DR2103",
      subjects: ["mmap"],
      violating: call("mmap", (1, "0xf0000000", "0")),
      conforming: call("mmap", (2, "PROT_EXEC", "0"))
    ),
    Example(
      rule: "DR2104",
      subjects: ["write"],
      violating: call("write", (0, "0xffffffff", "1")),
      conforming: call("openat", (0, "0xffffffff", "0xffffff9c"))
    ),
  ]

  @Test(arguments: examples) func `each call rule finds its pattern and ignores a similar safe one`(
    example: Example
  )
    throws
  {
    let violating = try LintFixture.findings(
      of: example.rule,
      in: #""syscalls":{"allow":[\#(example.violating)]}"#
    )
    #expect(violating.map(\.subject) == example.subjects)
    for finding in violating {
      #expect(finding.keyPath.hasPrefix("syscalls.allow["), "\(finding)")
      #expect(finding.origin.source == "0.json")
    }
    #expect(
      try LintFixture.findings(of: example.rule, in: #""syscalls":{"allow":[\#(example.conforming)]}"#)
        .isEmpty
    )
  }

  @Test func `reports memfd_create only if the policy allows executing programs`() throws {
    let calls = #""syscalls":{"allow":["memfd_create"]}"#
    #expect(try LintFixture.findings(of: "DR1002", in: calls).count == 1)
    #expect(try LintFixture.findings(of: "DR1002", in: calls + #","execute":"once""#).isEmpty)
  }

  @Test func `a finding in a group is reported at the group and names it`() throws {
    let findings = try LintFixture.findings(of: "DR1001", in: #""syscalls":{"allow":["read","@default"]}"#)
    #expect(findings.map(\.subject) == ["mmap", "mprotect"])
    #expect(findings.allSatisfy { $0.keyPath == "syscalls.allow[1]" && $0.message.contains("\"@default\"") })
    // The members that systemd chose for a group are not reported for a policy that uses the group.
    #expect(try LintFixture.findings(of: "DR1401", in: #""syscalls":{"allow":["@file-system"]}"#).isEmpty)
  }

  @Test func `ignores a denied call`() throws {
    let members = #""syscalls":{"allow":["@default"],"deny":["mmap"]}"#
    #expect(try LintFixture.findings(of: "DR1001", in: members).map(\.subject) == ["mprotect"])
  }

  /// Calls that programs need to start, with shown files or without, and calls that programs need to exit
  /// cleanly.
  static let requiredCalls: [(call: String, rule: String, shown: String)] = [
    ("arch_prctl", "DR2004", ""), ("mprotect", "DR2004", ""), ("mmap", "DR2004", "/opt/a"),
    ("openat", "DR2004", "/opt/a"), ("read", "DR2004", "/opt/a"), ("pread64", "DR2004", "/opt/a"),
    ("close", "DR2004", "/opt/a"), ("write", "DR2006", ""), ("futex", "DR2006", ""),
    ("rt_sigreturn", "DR2006", ""), ("exit_group", "DR2006", ""),
  ]

  @Test(arguments: requiredCalls.indices)
  func `reports a missing call that programs need to start or to exit`(index: Int) throws {
    let (call, rule, shown) = Self.requiredCalls[index]
    func subjects(without: String, deny: String = "", showing: String) throws -> [String] {
      let calls = (Self.requiredCalls.map(\.call) + ["newfstatat", "brk"]).filter { $0 != without }
      let allow = calls.map { "\"\($0)\"" }.joined(separator: ",")
      let paths = showing.isEmpty ? "" : "\"\(showing)\""
      let members = #""syscalls":{"allow":[\#(allow)],"deny":[\#(deny)]},"readOnly":[\#(paths)]"#
      return try ["DR2004", "DR2006"].flatMap { rule in
        try LintFixture.findings(of: rule, in: members).map { "\(rule) \($0.subject) \($0.keyPath)" }
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

  @Test func `either of mmap and brk is sufficient`() throws {
    let calls = Self.requiredCalls.map(\.call).filter { $0 != "mmap" }.map { "\"\($0)\"" }.joined(
      separator: ","
    )
    let none = try LintFixture.findings(of: "DR2004", in: #""syscalls":{"allow":[\#(calls)]}"#)
    #expect(none.map(\.message) == [#"neither "mmap" nor "brk" is allowed: no memory can be allocated"#])
    #expect(try LintFixture.findings(of: "DR2004", in: #""syscalls":{"allow":[\#(calls),"brk"]}"#).isEmpty)
    #expect(try LintFixture.findings(of: "DR2004", in: #""syscalls":{"allow":[\#(calls),"mmap"]}"#).isEmpty)
  }
}
