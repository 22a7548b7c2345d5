// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Members that describe the document itself and do not affect enforcement.
extension PolicyReader {
  /// Returns the justifications of `justifications`.
  mutating func justifications(_ node: JSONNode?, _ keyPath: String) -> [PolicyJustification] {
    var all: [PolicyJustification] = []
    for (node, keyPath) in elements(node, keyPath) {
      guard let one = justification(node, keyPath) else { continue }
      if all.contains(where: { $0.rule.value == one.rule.value && $0.subject?.value == one.subject?.value }) {
        report(.repeated(one.rule.value), in: node, keyPath)
      } else {
        all.append(one)
      }
    }
    return all
  }

  /// Returns the version of `kernel`.
  mutating func kernel(_ node: JSONNode?, _ keyPath: String) -> Sourced<KernelVersion>? {
    guard let node, let word = text(node, keyPath) else { return nil }
    guard let version = KernelVersion(word) else {
      report(.invalidKernel(word), in: node, keyPath)
      return nil
    }
    return Sourced(version, origin(node))
  }

  private mutating func justification(_ node: JSONNode, _ keyPath: String) -> PolicyJustification? {
    guard let members = members(node, keyPath, as: PolicyKeys.Justification.self) else { return nil }
    for key in [PolicyKeys.Justification.rule, .reason] where members[key] == nil {
      report(.missingKey(key.rawValue), in: node, keyPath)
    }
    let rule = members[.rule].flatMap { ruleID($0, "\(keyPath).rule") }
    let reason = members[.reason].flatMap { text($0, "\(keyPath).reason") }
    var subject: Sourced<String>?
    if let node = members[.subject] {
      guard let word = text(node, "\(keyPath).subject") else { return nil }
      subject = Sourced(word, origin(node))
    }
    guard let rule, let reason else { return nil }
    return PolicyJustification(rule: rule, subject: subject, reason: reason, origin: origin(node))
  }

  /// Returns the ID of a linter rule: `DR` and four digits. The parser does not know which rules exist.
  private mutating func ruleID(_ node: JSONNode, _ keyPath: String) -> Sourced<String>? {
    guard let word = text(node, keyPath) else { return nil }
    let digits = word.utf8.dropFirst(2)
    guard word.hasPrefix("DR"), digits.count == 4,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else {
      report(.invalidRuleID(word), in: node, keyPath)
      return nil
    }
    return Sourced(word, origin(node))
  }
}
