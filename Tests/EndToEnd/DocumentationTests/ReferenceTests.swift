// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CommandGrammar
import DarkroomCommands
import PolicyLint
import SandboxPolicy
import SessionSimulation
import SessionStore
import TestSupport
import Testing

/// Tests that reference tables in the documents match the declarations in the code.
@Suite(.waiting) struct ReferenceTests {
  private static let policies = "Sources/Host/CaptureHost/CaptureHost.docc/Policies.md"
  private static let checkingPolicies = "Sources/Host/CaptureHost/CaptureHost.docc/CheckingPolicies.md"
  private static let manifests = "Sources/SDK/LockedCameraCapture/LockedCameraCapture.docc/Manifests.md"

  /// Returns the first cells of the table rows below a heading.
  private func firstCells(_ path: String, _ heading: String) throws -> [String] {
    try SourceTree.tableRows(in: path, below: heading).compactMap(\.first)
  }

  @Test(arguments: ["README.md", "Sources/Host/CaptureHost/CaptureHost.docc/ExitCodes.md"])
  func `the documented table of exit codes equals the table of the program`(path: String) throws {
    let rows = try SourceTree.tableRows(in: path, below: "## Exit codes").map { Array($0.prefix(2)) }
    #expect(rows == DemoCommand.spec.exitCodes.map { [$0.code, $0.meaning] })
    for code in ExitCode.allCases { #expect(rows.contains { $0[0] == "\(code.rawValue)" }) }
  }

  @Test func `documents each script step, each script condition and each check of darkroom test`() throws {
    let scripts = "Sources/Host/CaptureHost/CaptureHost.docc/Scripts.md"
    let lines = try firstCells(scripts, "## Steps") + firstCells(scripts, "## What can be made up")
    let verbs = lines.flatMap { $0.split(separator: ",") }.compactMap { $0.split(separator: " ").first }
    #expect(Set(verbs.map(String.init)) == Set(ScriptError.forms.keys))
    let conditions = try SourceTree.tableRows(in: scripts, below: "## What can be expected").compactMap(
      \.first
    )
    let words = conditions.prefix(ScriptCondition.words.count).compactMap { $0.split(separator: " ").first }
    #expect(words.map(String.init) == ScriptCondition.words)
    let checks = try SourceTree.tableRows(in: scripts, below: "## The checks")
    #expect(checks == ConformanceCheck.allCases.map { [$0.rawValue, $0.requirement] })
  }

  @Test func `the README names each architecture layer, each module and each system library`() throws {
    let text = try SourceTree.text("README.md")
    for floor in try SourceTree.names("Sources") {
      #expect(text.contains("`Sources/\(floor)`"), "\(floor)")
      for module in try SourceTree.names("Sources/\(floor)") {
        #expect(text.contains("`Sources/\(floor)/\(module)`"), "\(floor)/\(module)")
      }
    }
    let package = try SourceTree.text("Package.swift")
    let libraries = package.matches(
      of: /library\("[A-Za-z]+", pkgConfig: "[a-z]+", package: "([a-z0-9.+-]+)"\)/
    )
    #expect(libraries.count >= 5)
    for library in libraries { #expect(text.contains("| `\(library.1)` |"), "\(library.1)") }
  }

  @Test func `documents each key of a policy`() throws {
    #expect(
      Set(try firstCells(Self.policies, "## The document"))
        == Set(PolicyKeys.Document.allCases.map(\.rawValue))
    )
    #expect(
      Set(try firstCells(Self.policies, "## System calls"))
        == Set(
          PolicyKeys.Syscalls.allCases.map(\.rawValue) + PolicyKeys.Rule.allCases.map(\.rawValue)
            + PolicyKeys.Argument.allCases.map(\.rawValue)
        )
    )
    #expect(Set(try firstCells(Self.policies, "## Paths")) == Set(PolicyKeys.Path.allCases.map(\.rawValue)))
    #expect(Set(try firstCells(Self.policies, "## Layers")) == Set(Layer.allCases.map(\.rawValue)))
    #expect(
      Set(try firstCells(Self.policies, "## What no policy can allow"))
        == Set(CoreArea.allCases.map(\.rawValue))
    )
  }

  @Test func `documents each lint rule with its own id, name, severity, evidence and summary`() throws {
    let rows = try SourceTree.tableRows(in: Self.checkingPolicies, below: "## Rules")
    let words: [RuleDescription.Evidence: String] = [
      .policy: "the policy", .library: "libseccomp", .kernel: "the kernel", .files: "files",
    ]
    #expect(
      rows
        == PolicyRules.descriptions.map {
          [$0.id, $0.name, $0.severity.rawValue, words[$0.evidence] ?? "", $0.summary]
        }
    )
    #expect(
      Set(try firstCells(Self.checkingPolicies, "## Justifications"))
        == Set(PolicyKeys.Justification.allCases.map(\.rawValue))
    )
    #expect(
      try firstCells(Self.checkingPolicies, "## Severities and exit codes")
        == FindingSeverity.allCases.reversed().map(\.rawValue)
    )
  }

  @Test func `documents each limit with its default value`() throws {
    let rows = try SourceTree.tableRows(in: Self.policies, below: "## Limits")
    #expect(rows.map { $0[0] } == LimitName.allCases.map(\.rawValue))
    for (row, limit) in zip(rows, LimitName.allCases) { #expect(row[1] == Self.spelled(limit), "\(limit)") }
  }

  /// Returns a default value in the largest unit that divides it.
  private static func spelled(_ limit: LimitName) -> String {
    if limit.defaultValue == 0 { return "0" }
    let units: [(String, Int)] =
      switch limit.unit {
      case .count: []
      case .bytes: [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
      case .seconds: [("h", 3600), ("m", 60), ("s", 1)]
      }
    let unit = units.first { limit.defaultValue.isMultiple(of: $0.1) } ?? ("", 1)
    return "\(limit.defaultValue / unit.1)\(unit.0)"
  }

  @Test func `documents each key of a manifest and marks the required keys`() throws {
    for (heading, keys) in [
      ("## app.json", ManifestKeys.app), ("## extension.json", .captureExtension), ("## Controls", .control),
      ("## Usage descriptions", .usageDescriptions),
    ] {
      let rows = try SourceTree.tableRows(in: Self.manifests, below: heading)
      #expect(Set(rows.map { $0[0] }) == Set(keys.all), "\(heading)")
      #expect(Set(rows.filter { $0[1] == "yes" }.map { $0[0] }) == Set(keys.required), "\(heading)")
    }
  }

  @Test func `documents the migration steps in the order of execution`() throws {
    let path = "Sources/Host/CaptureHost/CaptureHost.docc/TheHandOver.md"
    #expect(try firstCells(path, "## The steps") == MigrationStep.allCases.map(\.rawValue))
    let proof = "Sources/Host/CaptureHost/CaptureHost.docc/TheHandOverProof.md"
    #expect(try firstCells(proof, "## The states") == MigrationStep.allCases.map(\.rawValue))
    #expect(
      Set(try firstCells(path, "## What is kept apart")) == Set(QuarantineReason.allCases.map(\.rawValue))
    )
    #expect(
      Set(try firstCells(path, "## What is made ordinary")) == Set(Sanitization.allCases.map(\.rawValue))
    )
  }
}
