// SPDX-License-Identifier: Apache-2.0

import Policies
import PolicyLint
import SandboxPolicy
import Testing

/// Applies the justifications of a document.
@Suite struct JustificationTests {
  /// Returns the findings of a policy that allows links and has the given justifications.
  private static func findings(_ justifications: String, extends: String = "base") throws -> [LintFinding] {
    try LintFixture.findings(
      """
      {"name":"own","description":"A.","extends":"\(extends)","syscalls":{"allow":["link","symlink"]},
       "justifications":[\(justifications)]}
      """
    )
  }

  @Test func `a justification covers its rule and its subject`() throws {
    let findings = try Self.findings(#"{"rule":"DR1303","subject":"link","reason":"So."}"#)
    let links = findings.filter { $0.rule.id == "DR1303" }
    #expect(links.map(\.isOpen) == [false, true])
    #expect(links.first?.justification?.reason == "So.")
    #expect(findings.allSatisfy { $0.rule.id != "DR0002" && $0.rule.id != "DR0003" })
  }

  @Test func `a justification without a subject covers all findings and is reported if these are several`()
    throws
  {
    let findings = try Self.findings(#"{"rule":"DR1303","reason":"So."}"#)
    #expect(findings.filter { $0.rule.id == "DR1303" }.allSatisfy { !$0.isOpen })
    let broad = findings.filter { $0.rule.id == "DR0003" }
    #expect(broad.map(\.keyPath) == ["justifications[0]"])
    #expect(broad.first?.message.contains(#""link", "symlink""#) == true)
  }

  @Test func `reports an unused justification and one for an unknown rule`() throws {
    let unused = try Self.findings(#"{"rule":"DR1303","subject":"linkat","reason":"So."}"#)
    #expect(unused.filter { $0.rule.id == "DR0002" }.map(\.keyPath) == ["justifications[0]"])
    let unknown = try Self.findings(#"{"rule":"DR9999","reason":"So."}"#)
    #expect(unknown.filter { $0.rule.id == "DR0004" }.map(\.keyPath) == ["justifications[0].rule"])
    // A finding on another machine may need the justification.
    #expect(try Self.findings(#"{"rule":"DR3101","reason":"So."}"#).allSatisfy { $0.rule.id != "DR0002" })
  }

  @Test func `a justification covers findings in parents but not in children`() throws {
    let parent = #"""
      {"name":"parent","description":"A.","syscalls":{"allow":["link"]},
       "justifications":[{"rule":"DR1303","reason":"Of the parent."}]}
      """#
    let child = #"{"name":"own","description":"A.","extends":"parent","syscalls":{"allow":["symlink"]}}"#
    let links = try LintFixture.findings(child, parent).filter { $0.rule.id == "DR1303" }
    #expect(links.map(\.subject) == ["symlink", "link"])
    #expect(links.map(\.isOpen) == [true, false])
    let silent = #"{"name":"parent","description":"A.","syscalls":{"allow":["link"]}}"#
    let speaking = #"""
      {"name":"own","description":"A.","extends":"parent",
       "justifications":[{"rule":"DR1303","subject":"link","reason":"Of the child."}]}
      """#
    let covered = try LintFixture.findings(speaking, silent).filter { $0.rule.id == "DR1303" }
    #expect(covered.map(\.justification?.reason) == ["Of the child."])
    // A child that denies what its parent justifies cannot change the parent.
    let denying = #"{"name":"own","description":"A.","extends":"parent","syscalls":{"deny":["link"]}}"#
    #expect(try LintFixture.findings(denying, parent).allSatisfy { $0.rule.id != "DR0002" })
  }

  @Test(arguments: ["base", "capture", "container", "strict"])
  func `a shipped policy has no unjustified findings`(name: String) throws {
    let policy = try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
    let findings = PolicyLinter.findings(in: policy)
    #expect(findings.filter(\.isOpen).isEmpty)
    #expect(!findings.isEmpty)
    for finding in findings { #expect(finding.justification?.reason.hasSuffix(".") == true) }
  }

  @Test func `a justification does not change the enforced policy`() throws {
    func policy(_ more: String) throws -> ResolvedPolicy {
      let text = #"{"name":"own","description":"A.","syscalls":{"allow":["link"]}\#(more)}"#
      return try PolicyLibrary().resolve(try PolicyParser.parse(text, source: "0.json"))
    }
    let plain = try policy("")
    let justified = try policy(#","kernel":"6.12","justifications":[{"rule":"DR1303","reason":"So."}]"#)
    #expect(plain.flattened == justified.flattened)
    #expect(plain.calls == justified.calls)
  }
}
