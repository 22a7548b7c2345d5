// SPDX-License-Identifier: Apache-2.0

extension Report {
  /// The report as text tables.
  package var text: String {
    let head = [
      machine.kernel, machine.architecture, "\(machine.processors) processors", "as \(machine.user)",
      "load \(machine.load)", "\(machine.build) build",
    ]
    return ([head.joined(separator: ", ")] + tables.map(\.text)).joined(separator: "\n\n")
  }
}

extension Table {
  fileprivate var text: String {
    guard !rows.isEmpty else { return ([title] + notes.map { "  \($0)" }).joined(separator: "\n") }
    let width = (rows.map(\.name.count).max() ?? 0) + 2
    let columns = ["median", "p10", "p90", "first"].map { $0.paddedLeft(to: 11) }.joined()
    let head =
      "\(title); ratios to \(baseline)\n" + "".padded(to: width) + columns + "ratio".paddedLeft(to: 9)
      + "  95 % of the ratio"
    return ([head] + rows.map { $0.line(width) } + notes.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension Table.Row {
  fileprivate func line(_ width: Int) -> String {
    let numbers = [median, tenth, ninetieth, first].map { $0.text(digits: 1).paddedLeft(to: 11) }.joined()
    let ratios =
      ratio.map {
        $0.ratio.text(digits: 2).paddedLeft(to: 9) + "  \($0.low.text(digits: 2))–\($0.high.text(digits: 2))"
      } ?? "-".paddedLeft(to: 9)
    return name.padded(to: width) + numbers + ratios + "  " + unit.rawValue
      + (against.map { ", ratio to \($0)" } ?? "")
  }
}

extension String {
  /// Returns the text padded with trailing spaces.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Returns the text padded with leading spaces.
  func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension Double {
  /// Returns the number with one or two fraction digits.
  func text(digits: Int) -> String {
    guard isFinite, magnitude < 1e15 else { return "-" }
    let scale = digits == 1 ? 10.0 : 100.0
    let whole = Int((magnitude * scale).rounded())
    let fraction = String(whole % Int(scale))
    return (self < 0 && whole > 0 ? "-" : "") + "\(whole / Int(scale))."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
