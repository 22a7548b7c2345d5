// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import PolicyExplanation
internal import SessionSimulation
internal import SessionStore

/// The result of a script, as text (Test Anything Protocol, version 14) or as JSON.
struct SimulateOutput {
  /// The path of the script.
  let path: String
  let extensionID: String
  /// The result of the simulation.
  let result: Simulation.Result

  /// Returns the lines of the report.
  func lines(isKept: Bool) -> [String] {
    let findings = result.findings
    var lines = ["TAP version 14", "1..\(findings.count)"]
    for (index, finding) in findings.enumerated() {
      let state = finding.holds ? "ok" : "not ok"
      lines.append("\(state) \(index + 1) - \(Self.escaped(name(finding)))")
      if !finding.holds { lines += Self.diagnosis(finding) }
    }
    let missed = findings.count { !$0.holds }
    let sum = missed == 0 ? "all passed" : "\(missed) of \(findings.count) failed"
    lines.append(
      "# \(TextTable.printable(extensionID)): \(sum); \(TextTable.printable("\(result.report.record.outcome)"))"
    )
    if missed > 0 { lines += lastOutput }
    if isKept { lines += keptPaths }
    return lines
  }

  /// The last lines of the extension's output, as a hint to the cause of a failure.
  private var lastOutput: [String] {
    result.report.outputTail.split(separator: "\n").suffix(10).map {
      "# output: \(TextTable.printable(String($0)))"
    }
  }

  /// The paths of the files that are kept.
  private var keptPaths: [String] {
    [result.report.contentPath.map { "# content: \(TextTable.printable($0))" }].compactMap(\.self)
      + ["# record: \(TextTable.printable(result.report.recordPath))"]
  }

  /// Returns the name of a finding: its line in the script, and the text of the line.
  private func name(_ finding: ScriptResult) -> String {
    finding.line == 0 ? finding.text : "\(path):\(finding.line): \(finding.text)"
  }

  /// Returns a description in which TAP directives and control characters are escaped.
  private static func escaped(_ text: String) -> String {
    TextTable.printable(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// Returns the diagnostics of a finding as YAML: the expectation and the actual result.
  private static func diagnosis(_ finding: ScriptResult) -> [String] {
    var lines = ["  ---"]
    switch finding.verdict {
    case .passed: return []
    case .failed(let seen):
      lines += ["  expected: \(quoted(finding.text))", "  seen: \(quoted(seen))"]
    case .notReached(let reason): lines.append("  not reached: \(quoted(reason))")
    }
    if let time = finding.time { lines.append("  after: \(quoted("\(time / 1_000_000) ms"))") }
    return lines + ["  ..."]
  }

  /// Returns a text as a JSON string, which is also valid YAML.
  private static func quoted(_ text: String) -> String {
    TextTable.printable(JSONValue.string(text).text(.compact))
  }

  /// Returns the report as JSON.
  func json(isKept: Bool) -> JSONValue {
    .object([
      "script": .string(path), "extension": .string(extensionID), "passed": .bool(result.holds),
      "findings": .array(result.findings.map(Self.json)),
      "session": result.report.record.json,
      "content": isKept ? result.report.contentPath.map(JSONValue.string) : nil,
      "record": isKept ? .string(result.report.recordPath) : nil,
    ])
  }

  private static func json(_ finding: ScriptResult) -> JSONValue {
    let (verdict, seen): (String, String?) =
      switch finding.verdict {
      case .passed: ("passed", nil)
      case .failed(let seen): ("failed", seen)
      case .notReached(let reason): ("notReached", reason)
      }
    return .object([
      "line": finding.line == 0 ? .null : .integer(Int64(finding.line)), "text": .string(finding.text),
      "verdict": .string(verdict), "observed": seen.map(JSONValue.string),
      "milliseconds": finding.time.map { .integer(Int64($0 / 1_000_000)) },
    ])
  }
}
