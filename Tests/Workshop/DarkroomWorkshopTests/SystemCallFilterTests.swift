// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import DarkroomWorkshop
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of filters of other programs through the library.
@Suite(.timeLimit(.minutes(20))) struct SystemCallFilterTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// Writes a file, and returns its path.
  private func file(_ name: String, _ text: String) throws -> String {
    try FileSystem.replaceContents("\(scratch.path)/\(name)", with: Array(text.utf8))
    return "\(scratch.path)/\(name)"
  }

  /// Writes a seccomp profile that allows some calls, and returns its path.
  private func profile(_ calls: String...) throws -> String {
    let names = calls.map { #""\#($0)""# }.joined(separator: ", ")
    return try file(
      "\(calls[0]).json",
      """
      {"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_NATIVE"],
       "syscalls": [{"names": [\(names)], "action": "SCMP_ACT_ALLOW"}]}
      """
    )
  }

  @Test func `each kind of selection is found, and has programs`() async throws {
    let policy = try CapturePolicy("strict")
    let bytes = try await policy.compile().bytes
    try FileSystem.replaceContents("\(scratch.path)/a.bpf", with: bytes)
    let allowed = try profile("read", "write")
    let unit = try file("a.conf", "[Service]\nSystemCallFilter=read write\n")
    let minijail = try file("a.policy", "read: 1\nwrite: 1\n")
    let selections = [
      ("strict", "policy", 1), ("\(scratch.path)/a.bpf", "compiled filter", 1),
      (allowed, "seccomp profile", 1), (unit, "drop-in of systemd", 1), (minijail, "policy of minijail", 1),
      ("stack:strict,\(allowed)", "stack of 2 filters", 2),
    ]
    for (selection, kind, count) in selections {
      let filter = try await SystemCallFilter.find(selection)
      #expect(filter.kind == kind && filter.name == selection)
      #expect((filter.policy != nil) == (kind == "policy"))
      #expect(try await filter.programs().count == count)
    }
    let compiled = try await SystemCallFilter.find("\(scratch.path)/a.bpf").programs()
    #expect(compiled.map(\.bytes) == [bytes])
    #expect(try await SystemCallFilter(policy).programs().map(\.bytes) == [bytes])
    let own = try SystemCallFilter(compiled: bytes)
    #expect(try await own.programs().map(\.bytes) == [bytes] && own.name == "compiled")
    let profile = try await SystemCallFilter.find(allowed)
    let both = SystemCallFilter(stack: [SystemCallFilter(policy), profile])
    #expect(both.kind == "stack of 2 filters")
    for filter in [own, profile] { #expect(try await both.isSubset(of: filter)) }
    #expect(throws: HostError.self) { try SystemCallFilter(compiled: [1, 2, 3]) }
    let error = await #expect(throws: HostError.self) { try await SystemCallFilter.installed(in: 0) }
    #expect(error?.isArgument == true)
  }

  @Test func `selections that name no filter are refused`() async throws {
    let text = try file("a.txt", "text")
    let isArgument = [
      "-", "stack:strict,-", "stack:strict,", "stack:stack:-", "stack:strict,stack:base", "pid:x", "pid:0",
    ]
    for selection in isArgument + ["none", text, "/nonexistent/a.json", "pid:2147483647"] {
      let error = await #expect(throws: HostError.self, "\(selection)") {
        try await SystemCallFilter.find(selection)
      }
      #expect(error?.isArgument == isArgument.contains(selection), "\(selection)")
      #expect(error?.failure?.message.isEmpty == false)
    }
  }

  @Test func `filters of other programs are compared with policies`() async throws {
    let small = try await SystemCallFilter.find(try profile("read", "write"))
    let large = try await SystemCallFilter.find(try profile("mount", "read", "write"))
    let strict = SystemCallFilter(try CapturePolicy("strict"))
    #expect(try await small.isSubset(of: large))
    #expect(try await !large.isSubset(of: small))
    #expect(try await !large.isSubset(of: strict))
    let comparison = try await small.difference(to: large)
    #expect(comparison.isWeaker && comparison.sandbox.isEmpty)
    #expect(comparison.calls.map(\.subject) == ["mount"] && comparison.calls[0].effect == .weaker)
    let policies = try await strict.difference(to: SystemCallFilter(try CapturePolicy("base")))
    #expect(policies.isWeaker && !policies.sandbox.isEmpty)
  }

  @Test func `the stated answer of a supervisor decides whether a call is allowed`() async throws {
    let text = try String(
      decoding: #require(try FileSystem.contents(try profile("read"), limit: 1 << 16)),
      as: UTF8.self
    )
    let notifies = try await SystemCallFilter.find(
      try file("n.json", text.replacing("ACT_ALLOW", with: "ACT_NOTIFY"))
    )
    let none = try await SystemCallFilter.find(try profile("getpid"))
    let refused = SystemCallFilter.Supervision(notifications: .refused)
    #expect(try await !notifies.isSubset(of: none))
    #expect(try await notifies.isSubset(of: none, under: refused))
    #expect(try await notifies.difference(to: none).calls.contains { $0.effect == .stricter })
    let answers = try await notifies.answers(to: "read")
    #expect(answers.map(\.call) == ["read"] && answers.allSatisfy { $0.answer.contains("NOTIF") })
  }

  @Test func `a filter is proved to keep the invariants and to have the effect of a policy`() async throws {
    let policy = try CapturePolicy("strict")
    let own = try await SystemCallFilter(policy).verify()
    #expect(own.allSatisfy { $0.isProved })
    #expect(Set(own.map(\.programs)).isSuperset(of: ["compiled", "loaded"]))
    try FileSystem.replaceContents("\(scratch.path)/a.bpf", with: try await policy.compile().bytes)
    let compiled = try await SystemCallFilter.find("\(scratch.path)/a.bpf")
    #expect(try await compiled.verify(expecting: policy).allSatisfy { $0.isProved })
    let other = try await compiled.verify(expecting: try CapturePolicy("base"))
    #expect(other.contains { !$0.isProved && $0.failure != nil })
    let risky = try await SystemCallFilter.find(try profile("mount", "read"))
    #expect(try await risky.verify().contains { !$0.isProved })
    #expect(try await risky.check().contains { $0.severity == .error })
    let findings = try await CapturePolicy.check("strict")
    #expect(try await SystemCallFilter(policy).check() == findings)
    let document = Array(
      #"{"invariants": [{"name": "no-read", "reason": "A test.", "never": ["read"]}]}"#.utf8
    )
    let more = try await compiled.verify(invariants: document)
    #expect(more.filter { !$0.isProved }.count == 1, "\(more)")
    let certificate = try await compiled.certificate()
    try FileSystem.replaceContents("\(scratch.path)/a.json", with: Array(certificate.utf8))
    let checker = "\(PackageDirectory.path)/Tests/Rigs/Certificate/check.py"
    try runShell("python3 '\(checker)' '\(scratch.path)/a.json' '\(scratch.path)/a.bpf'")
    let installed = try await policy.compileInstalled()[0].bytes
    try FileSystem.replaceContents("\(scratch.path)/b.bpf", with: installed)
    try runShell("! python3 '\(checker)' '\(scratch.path)/a.json' '\(scratch.path)/b.bpf' >/dev/null 2>&1")
    for invalid in [Array("{".utf8), Array("{}".utf8)] {
      await #expect { _ = try await compiled.verify(invariants: invalid) } throws: { error in
        (error as? HostError)?.isArgument == true
      }
    }
    await #expect { _ = try await SystemCallFilter(policy).verify(expecting: policy) } throws: { error in
      (error as? HostError)?.isArgument == true
    }
    let stack = try await SystemCallFilter.find("stack:strict,\(scratch.path)/a.bpf")
    await #expect { _ = try await stack.certificate() } throws: { ($0 as? HostError)?.isArgument == true }
  }

  @Test func `a call is explained under a policy, and answered by a filter`() async throws {
    let policy = try CapturePolicy("strict")
    let allowed = try await policy.explain("read")
    #expect(allowed.isAllowed == true && allowed.call == "read" && !allowed.lines.isEmpty)
    let refused = try await policy.explain("socket(AF_INET, SOCK_STREAM, 0)")
    #expect(refused.isAllowed == false)
    // Without namespaces, the mode of a file could be changed on the host.
    let relaxed = try CapturePolicy(
      try file(
        "own.json",
        #"{"name":"own","description":"A.","extends":"base","bestEffort":["userNamespace"]}"#
      )
    )
    let change = "chmod(_, 0644)"
    #expect(try await relaxed.explain(change).isAllowed == true)
    #expect(try await relaxed.explain(change, withoutNamespaces: true).isAllowed == false)
    #expect(relaxed.explain(withoutNamespaces: true) != relaxed.explain())
    #expect(relaxed.explain().contains { $0.contains("weaker") }, "\(relaxed.explain())")
    #expect(try JSONNode.parse(Array(refused.json.utf8)).value["policy"]?.string == "strict")
    #expect(try await policy.explain("prctl").isAllowed == nil)
    let filter = try await SystemCallFilter.find(try profile("getpid"))
    let all = try await filter.answers()
    #expect(all.contains { $0.call == "getpid" && $0.answer == "ALLOW" }, "\(all)")
    for architecture in ["vax", SystemCallFilter.architectures[0]] {
      await #expect { _ = try await filter.answers(on: architecture) } throws: { error in
        (error as? HostError)?.isArgument == true
      }
    }
    for (call, architecture) in [("none", nil), ("read", "vax"), ("read(", nil)] as [(String, String?)] {
      await #expect { _ = try await policy.explain(call, on: architecture) } throws: { error in
        (error as? HostError)?.isArgument == true
      }
    }
    #expect(SystemCallFilter.architectures.count >= 1)
  }
}
