// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SessionStore

/// The report of the doctor as text: the machine, followed by a table for each group of policies with equal
/// findings.
enum DoctorOutput {
  /// Returns the complete report.
  static func lines(_ report: DoctorReport) -> [String] {
    var lines: [String] = []
    for finding in report.machine {
      let name = finding.name + String(repeating: " ", count: max(1, 16 - finding.name.count))
      lines.append("\(finding.state.marker)  \(name)\(TextTable.printable(finding.detail))")
      lines += finding.fixes.flatMap(fixLines)
    }
    for group in groups(report.policies) {
      lines += ["", heading(group)] + rows(group)
      for remark in group.flatMap(\.remarks).uniqued {
        let names = group.filter { $0.remarks.contains(remark) }.map(\.name).joined(separator: ", ")
        lines.append("note  \(TextTable.printable("\(names): \(remark)"))")
      }
    }
    return lines
  }

  /// Returns groups of policies with equal findings, in their order.
  private static func groups(_ policies: [PolicyFinding]) -> [[PolicyFinding]] {
    var groups: [[PolicyFinding]] = []
    for policy in policies {
      let index = groups.firstIndex { $0.first.map { $0.groupingKey == policy.groupingKey } ?? false }
      if let index { groups[index].append(policy) } else { groups.append([policy]) }
    }
    return groups
  }

  /// Returns the heading of a group's table.
  private static func heading(_ group: [PolicyFinding]) -> String {
    let names = group.map { TextTable.printable($0.name) }.joined(separator: ", ")
    let status =
      switch group.first?.status {
      case .degraded: "degraded: sessions run, but a layer is only partly enforced"
      case .unavailable: "unavailable: no session is launched"
      case .full, nil: "fully enforced"
      }
    return "\(group.count == 1 ? "policy" : "policies") \(names): \(status)"
  }

  /// Returns the layers of a group, each with its fixes.
  private static func rows(_ group: [PolicyFinding]) -> [String] {
    guard let first = group.first else { return [] }
    return first.layers.indices.flatMap { index in
      let layer = first.layers[index]
      let name = layer.name + String(repeating: " ", count: max(1, 18 - layer.name.count))
      let state = layer.state.rawValue + String(repeating: " ", count: 10 - layer.state.rawValue.count)
      let text = "\(layer.state.marker)  \(name)\(state)\(detail(group, index))"
      return [String(text.reversed().drop { $0 == " " }.reversed())]
        + layer.fixes.flatMap(fixLines)
    }
  }

  /// Returns the details of a layer. Details that differ between policies are listed with the policies'
  /// names.
  private static func detail(_ group: [PolicyFinding], _ index: Int) -> String {
    let details = group.map { $0.layers[index].detail }
    if details.uniqued.count <= 1 { return TextTable.printable(details.first ?? "") }
    return details.uniqued.map { detail in
      let names = zip(group, details).filter { $0.1 == detail }.map(\.0.name).joined(separator: ", ")
      return TextTable.printable("\(detail) (\(names))")
    }.joined(separator: "; ")
  }

  /// Returns the lines of a fix, indented below the finding.
  private static func fixLines(_ fix: Fix) -> [String] {
    var lines = ["      fix: \(TextTable.printable(fix.sentence))"]
    if let file = fix.file {
      lines.append("           write to \(TextTable.printable(file.path)):")
      lines += file.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
        $0.isEmpty ? "" : "             \(TextTable.printable(String($0)))"
      }
    }
    return lines + fix.commands.map { "           \(TextTable.printable($0))" }
  }
}

extension Array where Element: Hashable {
  /// The distinct elements, in the order of their first occurrence.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension PolicyFinding {
  /// The key that is equal for all policies of a group.
  fileprivate var groupingKey: [[String]] {
    [[status.rawValue]]
      + layers.map { layer in
        // The details of enforced layers differ only in numbers, so they are not part of the key.
        [layer.name, layer.state.rawValue]
          + (layer.state == .missing ? [layer.detail] : layer.fixes.flatMap { [$0.sentence] + $0.commands })
      }
  }
}

extension MachineFinding.State {
  /// The state as a marker of four columns.
  fileprivate var marker: String {
    switch self {
    case .present: "ok  "
    case .advice: "note"
    case .missing: "MISS"
    }
  }
}

extension LayerFinding.State {
  /// The state as a marker of four columns.
  fileprivate var marker: String {
    switch self {
    case .enforced: "ok  "
    case .degraded, .learning: "note"
    case .missing: "MISS"
    }
  }
}
