// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CommandGrammar
import DarkroomCommands
import LinuxPrimitives
import PolicyLint
import SandboxPolicy
import SessionSimulation
import SessionStore
import TestSupport
import Testing

/// Tests that reference tables in the documents match the declarations in the code.
@Suite(.waiting) struct ReferenceTests {
  private static let catalog = "Sources/Darkroom.docc"
  private static let policies = "\(catalog)/Reference/Policies.md"
  private static let checkPolicies = "\(catalog)/Guides/CheckPolicies.md"
  private static let manifests = "\(catalog)/Reference/Manifests.md"

  /// Returns the first cells of the table rows below a heading.
  private func firstCells(_ path: String, _ heading: String) throws -> [String] {
    try SourceTree.tableRows(in: path, below: heading).compactMap(\.first)
  }

  @Test func `the documented table of exit codes equals the table of the program`() throws {
    let path = "\(Self.catalog)/Reference/ExitCodes.md"
    let rows = try SourceTree.tableRows(in: path, below: "## Exit codes").map { Array($0.prefix(2)) }
    let codes = DarkroomCommandLine.spec.topics.flatMap(\.exitCodes)
    #expect(rows == codes.map { [$0.code, $0.meaning] })
    for code in ExitCode.allCases { #expect(rows.contains { $0[0] == "\(code.rawValue)" }) }
  }

  @Test func `documents each script step, each script condition and each check of darkroom test`() throws {
    let scripts = "\(Self.catalog)/Reference/Scripts.md"
    let lines = try firstCells(scripts, "## Steps") + firstCells(scripts, "## Simulated events")
    let verbs = lines.flatMap { $0.split(separator: ",") }.compactMap { $0.split(separator: " ").first }
    #expect(Set(verbs.map(String.init)) == Set(ScriptError.forms.keys))
    let conditions = try firstCells(scripts, "## Conditions")
    let words = conditions.prefix(ScriptCondition.words.count).compactMap { $0.split(separator: " ").first }
    #expect(words.map(String.init) == ScriptCondition.words)
    let tests = "\(Self.catalog)/Guides/TestExtensions.md"
    let checks = try SourceTree.tableRows(in: tests, below: "## Run the checks of every extension")
    #expect(checks == ConformanceCheck.allCases.map { [$0.rawValue, $0.requirement] })
  }

  @Test func `documents each command of the program with its summary`() throws {
    let path = "\(Self.catalog)/Reference/Commands.md"
    let commands = CommandPath(DarkroomCommandLine.spec).tree.dropFirst()
    let rows = commands.map { "| `\($0.commandLine)` | \($0.command.summary) |" }
    // New summaries are inserted into the existing rows, so that the groups remain.
    if CurrentProcess.environment("DARKROOM_WRITE_DOCUMENTS") != nil {
      let lines = try SourceTree.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      let updated = lines.map { line in
        guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else {
          return String(line)
        }
        return rows.first { $0.hasPrefix("\(line[...end]) |") } ?? String(line)
      }
      let file = "\(SourceTree.path)/\(path)"
      try FileSystem.replaceContents(file, with: Array(updated.joined(separator: "\n").utf8), mode: 0o644)
    }
    let documented = try SourceTree.text(path).split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("| `darkroom ")
    }
    #expect(Set(rows).subtracting(documented) == [], "add these rows to \(path)")
    #expect(Set(documented).subtracting(rows) == [], "remove these rows from \(path)")
    #expect(documented.count == rows.count)
  }

  @Test func `the articles name each architecture layer, each module and each system library`() throws {
    var text = try SourceTree.text("\(Self.catalog)/Explanation/Architecture.md")
    for floor in try SourceTree.names("Sources") where !floor.hasSuffix(".docc") {
      #expect(text.contains("`Sources/\(floor)`"), "\(floor)")
      for module in try SourceTree.names("Sources/\(floor)") {
        #expect(text.contains("`Sources/\(floor)/\(module)`"), "\(floor)/\(module)")
      }
    }
    text = try SourceTree.text("\(Self.catalog)/Guides/InstallDarkroom.md")
    let package = try SourceTree.text("Package.swift")
    let libraries = package.matches(
      of: /library\("[A-Za-z]+", pkgConfig: "[a-z]+", package: "([a-z0-9.+-]+)"\)/
    )
    #expect(libraries.count >= 5)
    for library in libraries { #expect(text.contains("| `\(library.1)` |"), "\(library.1)") }
  }

  @Test func `documents each key of a policy`() throws {
    #expect(
      Set(try firstCells(Self.policies, "## Document"))
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
      Set(try firstCells(Self.policies, "## Calls that no policy can allow"))
        == Set(CoreArea.allCases.map(\.rawValue))
    )
  }

  @Test func `documents each lint rule with its own id, name, severity, evidence and summary`() throws {
    let rows = try SourceTree.tableRows(in: "\(Self.catalog)/Reference/LintRules.md", below: "## Rules")
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
      Set(try firstCells(Self.checkPolicies, "## Justifications"))
        == Set(PolicyKeys.Justification.allCases.map(\.rawValue))
    )
    #expect(
      try firstCells(Self.checkPolicies, "## Severities and exit codes")
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
    let path = "\(Self.catalog)/Explanation/Migration.md"
    #expect(try firstCells(path, "## Steps") == MigrationStep.allCases.map(\.rawValue))
    let proof = "\(Self.catalog)/Explanation/MigrationProof.md"
    #expect(try firstCells(proof, "## States") == MigrationStep.allCases.map(\.rawValue))
    #expect(
      Set(try firstCells(path, "## Quarantined entries")) == Set(QuarantineReason.allCases.map(\.rawValue))
    )
    #expect(
      Set(try firstCells(path, "## Sanitized entries")) == Set(Sanitization.allCases.map(\.rawValue))
    )
  }
}
