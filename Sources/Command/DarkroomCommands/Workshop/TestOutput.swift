// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import PolicyWords
internal import SessionSimulation

/// What the checks of an extension have come to, for people and for programs.
struct TestOutput {
  /// The extension.
  let extensionID: String
  /// The checks that were made, with their verdicts.
  var verdicts: [(check: ConformanceCheck, verdict: ConformanceVerdict)] = []

  /// The checks that there are.
  static func table(_ checks: [ConformanceCheck]) -> TextTable {
    var table = TextTable([.init("CHECK"), .init("THE EXTENSION")])
    for check in checks { table.add([check.rawValue, check.asks]) }
    return table
  }

  /// The checks that there are, for programs.
  static func json(_ checks: [ConformanceCheck]) -> JSONValue {
    ["checks": .array(checks.map { ["name": .string($0.rawValue), "asks": .string($0.asks)] })]
  }

  /// The line of a check: its verdict, its name, what was seen, and the mend.
  static func lines(_ check: ConformanceCheck, _ verdict: ConformanceVerdict) -> [String] {
    let width = ConformanceCheck.allCases.map(\.rawValue.count).max() ?? 0
    let name = check.rawValue + String(repeating: " ", count: width - check.rawValue.count)
    let mend = verdict.mend.map { "; \($0)" } ?? ""
    return ["\(mark(verdict))  \(name)  \(TextTable.printable(verdict.reason + mend))"]
  }

  /// The verdict as a word of four letters.
  private static func mark(_ verdict: ConformanceVerdict) -> String {
    switch verdict {
    case .passed: "pass"
    case .failed: "FAIL"
    case .notApplicable: "n/a "
    case .untried: "??? "
    }
  }

  /// How many checks have this verdict.
  func count(_ word: String) -> Int { verdicts.count { $0.verdict.word == word } }

  /// The last line.
  var sum: String {
    let untried = count("untried") == 0 ? "" : ", \(count("untried")) could not be made"
    return "\(TextTable.printable(extensionID)): \(count("pass")) pass, \(count("fail")) fail, "
      + "\(count("notApplicable")) not applicable\(untried)"
  }

  /// The report for programs.
  var json: JSONValue {
    [
      "extension": .string(extensionID), "holds": .bool(count("fail") == 0 && count("untried") == 0),
      "passed": .integer(Int64(count("pass"))), "failed": .integer(Int64(count("fail"))),
      "checks": .array(
        verdicts.map { check, verdict in
          .object([
            "name": .string(check.rawValue), "asks": .string(check.asks), "verdict": .string(verdict.word),
            "reason": .string(verdict.reason), "mend": verdict.mend.map(JSONValue.string),
          ])
        }
      ),
    ]
  }
}
