// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import DarkroomWorkshop
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of checked, combined, compiled and converted policies through the library.
@Suite(.timeLimit(.minutes(20))) struct PolicyDocumentTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// Writes a policy that extends `strict`, and returns its path.
  private func policy(_ name: String, _ members: String) throws -> String {
    let path = "\(scratch.path)/\(name).json"
    let text = #"{"name": "\#(name)", "description": "A.", "extends": "strict", \#(members)}"#
    try FileSystem.replaceContents(path, with: Array(text.utf8))
    return path
  }

  @Test func `returns findings with rule, position and fix, including mistakes of the document`() async throws
  {
    #expect(try await CapturePolicy.check("capture").allSatisfy { $0.severity != .error })
    let path = try policy("own", #""syscalls": {"allow": ["ptrace", "getrandon"]}"#)
    let findings = try await CapturePolicy.check(path)
    let finding = try #require(findings.first { $0.subject == "getrandon" }, "\(findings)")
    #expect(finding.severity == .error && finding.ruleID.hasPrefix("DR") && !finding.fix.isEmpty)
    #expect(finding.location.hasPrefix("\(path):1:") && finding.justification == nil)
    let risky = try policy("risky", #""syscalls": {"allow": ["mprotect"]}"#)
    let open = try #require(try await CapturePolicy.check(risky).first { $0.subject == "mprotect" })
    #expect(open.severity == .warning && open.justification == nil, "\(open)")
    // Facts about this machine add findings, and change none.
    let withFacts = try await CapturePolicy.check(risky, inspectsMachine: true)
    #expect(withFacts.contains(open))
    await #expect { _ = try await CapturePolicy.check("none") } throws: { error in
      if case .policy = error as? HostError { true } else { false }
    }
    await #expect { _ = try await CapturePolicy.check("capture", maximumFiles: 0) } throws: { error in
      (error as? HostError)?.isArgument == true
    }
    let rules = PolicyRule.all
    let rule = try #require(rules.first { $0.id == finding.ruleID })
    #expect(rule.name == finding.ruleName && rule.fix == finding.fix && !rule.summary.isEmpty)
    #expect(rules.map(\.id) == rules.map(\.id).sorted() && Set(rules.map(\.evidence)).count == 4)
  }

  @Test func `combines policies, and the comparison proves the result`() async throws {
    let first = try CapturePolicy(try policy("first", #""syscalls": {"allow": ["flock", "sync"]}"#))
    let second = try CapturePolicy(try policy("second", #""syscalls": {"allow": ["flock", "symlink"]}"#))
    let both = try await first.combined(with: [second], by: .intersection, name: "both")
    #expect(both.name == "both" && both.document.contains(#""flock""#))
    for policy in [first, second] { #expect(try await both.isSubset(of: policy)) }
    #expect(!both.document.contains(#""symlink""#) && !both.document.contains(#""sync""#))
    let any = try await first.combined(with: [second], by: .union)
    #expect(any.name == "combined")
    for policy in [first, second] { #expect(try await policy.isSubset(of: any)) }
    #expect(try await any.isSubset(of: first) == false)
    await #expect { _ = try await first.combined(with: [second], by: .union, name: "-") } throws: { error in
      if case .policy = error as? HostError { true } else { false }
    }
  }

  @Test func `compiles a policy to a program with a description of each instruction`() async throws {
    let policy = try CapturePolicy("strict")
    let filter = try await policy.compile()
    #expect(filter.bytes.count == filter.instructions.count * 8)
    #expect(filter.instructions.allSatisfy { !$0.text.isEmpty })
    #expect(filter.instructions.contains { $0.text.contains("ALLOW") && $0.isReachable })
    let installed = try await policy.compileInstalled()
    #expect(installed.count == 2 && installed.allSatisfy { !$0.bytes.isEmpty })
  }

  @Test(arguments: PolicyFormat.allCases)
  func `exports a policy, and imports it with the same calls`(_ format: PolicyFormat) async throws {
    let policy = try CapturePolicy("strict")
    let exported = try await policy.export(as: format)
    #expect(!exported.contents.isEmpty && !exported.losses.isEmpty)
    #expect(exported.losses.allSatisfy { !$0.message.isEmpty })
    let filter = format == .bwrap ? try await policy.compile().bytes : nil
    let imported = try await CapturePolicy.importing(
      exported.contents,
      as: format,
      name: "new",
      filter: filter
    )
    #expect(imported.policy.name == "new")
    guard exported.allowsSameCalls, imported.allowsSameCalls else { return }
    let comparison = try await policy.difference(to: imported.policy)
    #expect(comparison.calls.allSatisfy { $0.effect == .changed }, "\(comparison.calls)")
  }

  @Test func `imports a filter with the stated answers of its supervisor`() async throws {
    let rule = #"{"names": ["sync"], "action": "SCMP_ACT_NOTIFY"}"#
    let profile = Array(#"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [\#(rule)]}"#.utf8)
    // A policy refuses the call, which an unknown supervisor can allow.
    let unknown = try await CapturePolicy.importing(profile, as: .oci)
    #expect(unknown.losses.contains { $0.changesCalls && $0.message.hasPrefix("sync") }, "\(unknown.losses)")
    let refused = try await CapturePolicy.importing(profile, as: .oci, under: .init(notifications: .refused))
    #expect(!refused.losses.contains { $0.message.hasPrefix("sync") }, "\(refused.losses)")
    #expect(!refused.policy.document.contains(#""sync""#))
  }

  @Test func `rejects invalid files, names and arguments`() async throws {
    let profile = Array(#"{"defaultAction": "SCMP_ACT_ERRNO"}"#.utf8)
    await #expect { _ = try await CapturePolicy.importing([1, 2, 3], as: .bpf) } throws: { error in
      if case .policy = error as? HostError { true } else { false }
    }
    await #expect { _ = try await CapturePolicy.importing(profile, as: .oci, name: "a b") } throws: { error in
      (error as? HostError)?.isArgument == true
    }
    await #expect { _ = try await CapturePolicy.importing(profile, as: .oci, filter: [0]) } throws: { error in
      (error as? HostError)?.isArgument == true
    }
    await #expect { _ = try await CapturePolicy.history(ofDocumentAt: "strict") } throws: { error in
      (error as? HostError)?.isArgument == true
    }
    let path = try policy("alone", #""syscalls": {"allow": ["flock"]}"#)
    for limit in [0, 5, 10_001, .max] {
      await #expect {
        _ = try await CapturePolicy.history(ofDocumentAt: path, maximumCommits: limit)
      } throws: { error in (error as? HostError)?.isArgument == true }
    }
  }

  @Test(.enabled(if: FileSystem.isReadable("/usr/bin/git"), "needs git"))
  func `finds the commit that added each rule of a document`() async throws {
    let path = try policy("own", #""syscalls": {"allow": ["flock"]}"#)
    let git =
      "git -c user.name=Ada -c user.email=ada@example.org -c commit.gpgsign=false -c safe.directory='*'"
    try runShell(
      """
      cd '\(scratch.path)' && export HOME=/nonexistent && \(git) init --quiet && \(git) add own.json && \
      \(git) commit --quiet --message=locks
      """
    )
    _ = try policy("own", #""syscalls": {"allow": ["flock", "sync"]}"#)
    let history = try await CapturePolicy.history(ofDocumentAt: path)
    #expect(history.isComplete && history.commits.map(\.subject) == ["locks"])
    let lock = try #require(history.rules.first { $0.call == "flock" })
    #expect(lock.commit == history.commits[0] && !lock.mayBeOlder)
    #expect(try #require(history.rules.first { $0.call == "sync" }).commit == nil)
  }

  @Test(arguments: DocumentSchema.allCases)
  func `prints each schema as JSON`(_ schema: DocumentSchema) throws {
    let value = try JSONNode.parse(Array(schema.text.utf8)).value
    #expect(value["$schema"]?.string?.isEmpty == false)
  }
}
