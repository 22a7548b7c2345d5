// SPDX-License-Identifier: Apache-2.0

internal import Refusals
internal import SandboxPolicy
internal import SystemCalls

extension CallExplanation {
  /// Returns the explanation as text, in lines of at most the given width where words allow it.
  package func lines(width: Int) -> [String] {
    var text = WrappedText(width: width)
    let place = "\(call.architecture.rawValue), number \(call.number)"
    guard let answer else {
      text.add("Under the policy \(policy), \(self.text) (\(place)) depends on its arguments.")
      for part in parts { add(part, &text) }
      return finish(&text)
    }
    text.add("Under the policy \(policy), \(self.text) (\(place)) \(answer.predicate).")
    if let part = parts.first { addDetails(part, &text) }
    return finish(&text)
  }

  /// Adds one of several parts.
  private func add(_ part: Part, _ text: inout WrappedText) {
    text.addBlankLine()
    guard part.answer != .allowed else {
      text.add(
        part.rules.count == 1
          ? "The call is allowed if this rule matches:" : "The call is allowed if one of these rules matches:"
      )
      addDetails(part, &text)
      return
    }
    text.add("Otherwise, the call \(part.answer.predicate).")
    addDetails(part, &text)
  }

  /// Adds the rules, the reason, an example and the fix of a part.
  private func addDetails(_ part: Part, _ text: inout WrappedText) {
    for rule in part.rules {
      let group = rule.groups.isEmpty ? "" : " by \(rule.groups.joined(separator: " > "))"
      text.add(
        "\(rule.condition.isEmpty ? "whatever its arguments are" : rule.condition) (\(rule.origin)\(group))",
        mark: "· ",
        indent: 2
      )
    }
    if let reason = part.reason { text.add("\(reason).", mark: "why: ", indent: 2) }
    if let example = part.example { text.add(example, mark: "for example: ", indent: 2) }
    if let alternative = part.fix?.alternative { text.add("\(alternative).", mark: "instead: ", indent: 2) }
    guard part.answer != .allowed, part.origin != nil else { return }
    let subject = part.example == nil ? "to allow it: " : "to allow this example: "
    if let policy = part.fix?.policy {
      text.add("\(policy.text).", mark: subject, indent: 2)
    } else if part.origin != .elsewhere {
      text.add("impossible under any policy.", mark: subject, indent: 2)
    }
  }

  /// Adds the notes, and returns all lines.
  private func finish(_ text: inout WrappedText) -> [String] {
    if !notes.isEmpty { text.addBlankLine() }
    for note in notes { text.add(note) }
    return text.lines
  }
}
