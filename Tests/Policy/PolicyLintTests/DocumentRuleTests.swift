// SPDX-License-Identifier: Apache-2.0

import PolicyLint
import SandboxPolicy
import Testing

/// Finds problems in documents, in their paths, limits and layers, and across a chain of documents.
@Suite struct DocumentRuleTests {
  /// A rule with members of a document that violate it and members that conform to it.
  struct Example: Sendable, CustomTestStringConvertible {
    var rule: String
    /// The key of each finding.
    var keys: [String]
    /// The violating members.
    var violating: String
    /// Similar members without a finding.
    var conforming: String

    var testDescription: String { rule }
  }

  static let examples: [Example] = [
    Example(
      rule: "DR0104",
      keys: ["syscalls.allow[0]"],
      violating: #""kernel":"5.15","syscalls":{"allow":["@resources","cachestat"]}"#,
      conforming: #""kernel":"5.17","syscalls":{"allow":["@resources","cachestat"]}"#
    ),
    Example(
      rule: "DR3003",
      keys: ["readOnly[0]"],
      violating: #""readOnly":["/usr"]"#,
      conforming: #""readOnly":["/usr/lib"]"#
    ),
    Example(
      rule: "DR3004",
      keys: ["readOnly[0]"],
      violating: #""readOnly":["/srv/home/ada"]"#,
      conforming: #""readOnly":["/srv/homework"]"#
    ),
    Example(
      rule: "DR3005",
      keys: ["readOnly[0]", "readOnly[1].path", "readOnly[2]"],
      violating: #""readOnly":["/etc/passwd",{"path":"/etc/NetworkManager/x"},"/opt/camera/upload.key"]"#,
      conforming: #""readOnly":["/etc/passwords","/opt/camera/upload.keys"]"#
    ),
    Example(
      rule: "DR3006",
      keys: ["readOnly[0]"],
      violating: #""readOnly":["/opt/service/control.sock"]"#,
      conforming: #""readOnly":["/opt/service/socks"]"#
    ),
    Example(
      rule: "DR3007",
      keys: ["readOnly[1]"],
      violating: #""readOnly":["/usr/share","/usr/share/fonts"]"#,
      conforming: #""readOnly":["/usr/share/fonts","/usr/shared"]"#
    ),
    Example(
      rule: "DR4001",
      keys: ["limits.processes", "limits.wallClock", "limits.memory"],
      violating: #""limits":{"memory":"9GiB","wallClock":"13h","processes":1025}"#,
      conforming: #""limits":{"memory":"8GiB","wallClock":"12h","processes":1024}"#
    ),
    Example(
      rule: "DR4002",
      keys: ["scratch.size"],
      violating: #""scratch":{"size":"2GiB"}"#,
      conforming: #""scratch":{"size":"1GiB"}"#
    ),
    Example(
      rule: "DR4003",
      keys: ["limits.outputBytes", "limits.sessionFiles"],
      violating: #""limits":{"outputBytes":0,"sessionFiles":0}"#,
      conforming: #""limits":{"outputBytes":1,"sessionFiles":1}"#
    ),
    Example(
      rule: "DR4004",
      keys: ["limits.fileSize", "limits.wallClock"],
      violating: #""limits":{"fileSize":"9GiB","wallClock":"5h"}"#,
      conforming: #""limits":{"fileSize":"8GiB","wallClock":"6h"}"#
    ),
    Example(
      rule: "DR5001",
      keys: ["bestEffort"],
      violating: #""bestEffort":["landlock"]"#,
      conforming: #""bestEffort":[]"#
    ),
    Example(
      rule: "DR5002",
      keys: ["execute"],
      violating: #""execute":"any""#,
      conforming: #""execute":"once""#
    ),
    Example(rule: "DR5002", keys: ["name"], violating: #""limits":{}"#, conforming: #""execute":"once""#),
    Example(
      rule: "DR5003",
      keys: ["content"],
      violating: #""content":"asWritten""#,
      conforming: #""content":"portable""#
    ),
    Example(
      rule: "DR5004",
      keys: ["acceptSingleMechanism"],
      violating: #""acceptSingleMechanism":["udp"]"#,
      conforming: #""acceptSingleMechanism":[]"#
    ),
  ]

  @Test(arguments: examples) func `each document rule finds its pattern and ignores a similar safe one`(
    example: Example
  )
    throws
  {
    let found = try LintFixture.findings(of: example.rule, in: example.violating)
    #expect(Set(found.map(\.keyPath)) == Set(example.keys), "\(found)")
    #expect(found.count == example.keys.count)
    #expect(try LintFixture.findings(of: example.rule, in: example.conforming).isEmpty)
  }

  /// A parse error and the rule of its finding.
  static let parseErrors: [(text: String, rule: String, subject: String)] =
    [
      (#"{"name":"a""#, "DR0001", ""),
      (#"{"name":"a","syscals":{}}"#, "DR0001", "syscals"),
      (#"{"name":"a","syscalls":{"allow":["opne"]}}"#, "DR0101", "opne"),
      (
        #"{"name":"a","syscalls":{"allow":[{"call":"prctl","arguments":[{"index":0,"equals":"PR_X"}]}]}}"#,
        "DR0101", "PR_X"
      ),
      (#"{"name":"a","syscalls":{"allow":["socket"]}}"#, "DR0201", "socket"),
      (#"{"name":"a","syscalls":{"allow":["socketpair"]}}"#, "DR0201", "socketpair"),
      (#"{"name":"a","syscalls":{"allow":["clone"]}}"#, "DR0202", "clone"),
      (#"{"name":"a","syscalls":{"allow":["mount"]}}"#, "DR0203", "mount"),
      (#"{"name":"a","syscalls":{"allow":["io_uring_enter"]}}"#, "DR0204", "io_uring_enter"),
      (#"{"name":"a","syscalls":{"allow":["keyctl"]}}"#, "DR0205", "keyctl"),
      (#"{"name":"a","syscalls":{"allow":["ptrace"]}}"#, "DR0206", "ptrace"),
      (#"{"name":"a","syscalls":{"allow":["process_vm_writev"]}}"#, "DR0206", "process_vm_writev"),
      (#"{"name":"a","syscalls":{"allow":["bpf"]}}"#, "DR0207", "bpf"),
      (#"{"name":"a","syscalls":{"allow":["userfaultfd"]}}"#, "DR0208", "userfaultfd"),
      (#"{"name":"a","syscalls":{"allow":["open_by_handle_at"]}}"#, "DR0209", "open_by_handle_at"),
      (#"{"name":"a","syscalls":{"allow":["reboot"]}}"#, "DR0210", "reboot"),
      (#"{"name":"a","syscalls":{"allow":["settimeofday"]}}"#, "DR0211", "settimeofday"),
      (#"{"name":"a","syscalls":{"allow":["iopl"]}}"#, "DR0212", "iopl"),
      (#"{"name":"a","syscalls":{"allow":["personality"]}}"#, "DR0213", "personality"),
      (#"{"name":"a","syscalls":{"allow":["seccomp"]}}"#, "DR0214", "seccomp"),
      (#"{"name":"a","syscalls":{"allow":["ioctl"]}}"#, "DR0215", "ioctl"),
      (#"{"name":"a","syscalls":{"allow":["clone3"]}}"#, "DR0216", "clone3"),
      (#"{"name":"a","syscalls":{"allow":["sched_setattr"]}}"#, "DR0217", "sched_setattr"),
      (#"{"name":"a","syscalls":{"allow":["@raw-io"]}}"#, "DR1403", "@raw-io"),
      (#"{"name":"a","readOnly":["/home/ada"]}"#, "DR3001", "/home/ada"),
      (#"{"name":"a","readOnly":["/dev"]}"#, "DR3001", "/dev"),
      (#"{"name":"a","devices":["/dev/video0"]}"#, "DR3002", "/dev/video0"),
    ]

  @Test(arguments: parseErrors.indices) func `a parse error becomes a finding of its rule`(index: Int)
    throws
  {
    let example = Self.parseErrors[index]
    let diagnostics = #expect(throws: PolicyDiagnostics.self) {
      try PolicyParser.parse(example.text, source: "0.json")
    }
    let findings = PolicyLinter.findings(for: try #require(diagnostics))
    #expect(findings.map(\.rule.id) == [example.rule])
    #expect(findings.map(\.subject) == [example.subject])
    #expect(findings.allSatisfy { $0.severity == .error && $0.isOpen })
  }

  @Test func `finds forbidden calls, paths and devices in a policy that no parser checked`() throws {
    let document = try PolicyParser.parse(#"{"name":"own","description":"A."}"#, source: "0.json")
    var policy = try PolicyLibrary().resolve(document)
    policy.calls += ["ptrace", "ioctl"].map { SyscallRule(call: $0, origin: policy.executeOrigin) }
    policy.readOnly = [ReadOnlyPath("/root", origin: policy.executeOrigin)]
    policy.devices = [Sourced("/dev/kvm", policy.executeOrigin)]
    let rules = PolicyLinter.findings(in: policy).map(\.rule.id)
    #expect(Set(rules).isSuperset(of: ["DR0206", "DR0215", "DR3001", "DR3002"]))
  }

  @Test func `finds a policy without a description`() throws {
    let silent = try LintFixture.findings(#"{"name":"own","extends":"base"}"#)
    #expect(silent.filter { $0.rule.id == "DR0005" }.map(\.keyPath) == ["name"])
  }

  @Test func `finds a child that is looser than its parent or repeats it`() throws {
    let parent = #"""
      {"name":"parent","description":"A.","limits":{"processes":5,"memory":"8MiB","freeReserve":"1MiB"},"scratch":{"size":"1MiB"},
       "readOnly":["/opt/a"],"devices":["/dev/null"],"bestEffort":["timeNamespace"],"execute":"once",
       "content":"portable","acceptSingleMechanism":["udp"]}
      """#
    func rules(_ members: String) throws -> [String: [String]] {
      let text = #"{"name":"own","description":"A.","extends":"parent",\#(members)}"#
      let findings = try LintFixture.findings(text, parent).filter {
        ["DR4005", "DR4006"].contains($0.rule.id)
      }
      return Dictionary(grouping: findings, by: \.rule.id).mapValues { $0.map(\.keyPath).sorted() }
    }
    let looser = #"""
      "limits":{"processes":6,"freeReserve":0},"scratch":{"size":"2MiB"},"bestEffort":["timeNamespace","landlock"],
      "execute":"any","content":"asWritten","acceptSingleMechanism":["udp","tcp"]
      """#
    let loose = [
      "acceptSingleMechanism", "bestEffort", "content", "execute", "limits.freeReserve", "limits.processes",
      "scratch.size",
    ]
    #expect(try rules(looser) == ["DR4005": loose])
    let repeated = #"""
      "limits":{"processes":5},"scratch":{"size":"1MiB"},"bestEffort":["timeNamespace"],"execute":"once",
      "content":"portable","readOnly":["/opt/a"],"devices":["/dev/null"],"acceptSingleMechanism":["udp"]
      """#
    let keys = [
      "acceptSingleMechanism", "bestEffort", "content", "devices[0]", "execute", "limits.processes",
      "readOnly[0]", "scratch.size",
    ]
    #expect(try rules(repeated) == ["DR4006": keys])
    let tighter = #"""
      "limits":{"processes":4,"freeReserve":"2MiB"},"scratch":{"size":"512KiB"},"bestEffort":[],
      "acceptSingleMechanism":[],"readOnly":["/opt/b"]
      """#
    #expect(try rules(tighter).isEmpty)
  }

  @Test func `findings are sorted by document chain and position`() throws {
    let text = #"{"name":"own","description":"A.","extends":"base","syscalls":{"allow":["symlink","link"]}}"#
    let findings = try LintFixture.findings(text)
    let own = findings.prefix { $0.origin.source == "0.json" }
    #expect(own.map(\.subject) == ["symlink", "link"])
    #expect(
      own.map(\.description).first?.hasPrefix("0.json:1:72: note: \"symlink\" creates links [DR1303 links")
        == true
    )
    #expect(findings.dropFirst(own.count).allSatisfy { $0.origin.source == "base.json" && !$0.isOpen })
  }
}
