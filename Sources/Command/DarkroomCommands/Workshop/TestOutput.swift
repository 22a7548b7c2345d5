// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import PolicyExplanation
internal import SessionSimulation

/// The results of the checks of an extension, as text or as JSON.
struct TestOutput {
  let extensionID: String
  /// The checks that were made, with their verdicts.
  var verdicts: [(check: ConformanceCheck, verdict: ConformanceVerdict)] = []

  /// Returns a table of the available checks.
  static func table(_ checks: [ConformanceCheck]) -> TextTable {
    var table = TextTable([.init("CHECK"), .init("THE EXTENSION")])
    for check in checks { table.add([check.rawValue, check.requirement]) }
    return table
  }

  /// Returns the available checks as JSON.
  static func json(_ checks: [ConformanceCheck]) -> JSONValue {
    ["checks": .array(checks.map { ["name": .string($0.rawValue), "requirement": .string($0.requirement)] })]
  }

  /// Returns the line of a check: its verdict, its name, the reason and the fix.
  static func lines(_ check: ConformanceCheck, _ verdict: ConformanceVerdict) -> [String] {
    let width = ConformanceCheck.allCases.map(\.rawValue.count).max() ?? 0
    let name = check.rawValue + String(repeating: " ", count: width - check.rawValue.count)
    let fix = verdict.fix.map { "; \($0)" } ?? ""
    return ["\(mark(verdict))  \(name)  \(TextTable.printable(verdict.reason + fix))"]
  }

  /// Returns the verdict as a marker of four characters.
  private static func mark(_ verdict: ConformanceVerdict) -> String {
    switch verdict {
    case .passed: "pass"
    case .failed: "FAIL"
    case .notApplicable: "n/a "
    case .untried: "??? "
    }
  }

  /// Returns the number of checks with a verdict.
  func count(_ word: String) -> Int { verdicts.count { $0.verdict.keyword == word } }

  var summaryLine: String {
    let untried = count("untried") == 0 ? "" : ", \(count("untried")) could not be run"
    return "\(TextTable.printable(extensionID)): \(count("pass")) pass, \(count("fail")) fail, "
      + "\(count("notApplicable")) not applicable\(untried)"
  }

  /// The report as JSON.
  var json: JSONValue {
    [
      "extension": .string(extensionID), "passed": .bool(count("fail") == 0 && count("untried") == 0),
      "passedChecks": .integer(Int64(count("pass"))), "failedChecks": .integer(Int64(count("fail"))),
      "checks": .array(
        verdicts.map { check, verdict in
          .object([
            "name": .string(check.rawValue), "requirement": .string(check.requirement),
            "verdict": .string(verdict.keyword),
            "reason": .string(verdict.reason), "fix": verdict.fix.map(JSONValue.string),
          ])
        }
      ),
    ]
  }
}
