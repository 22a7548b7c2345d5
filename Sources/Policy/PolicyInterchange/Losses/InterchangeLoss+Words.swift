// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension InterchangeLoss: CustomStringConvertible {
  /// The loss in one line, such as `line 3: … (stricter)`.
  package var description: String {
    let start = location.isEmpty ? "" : "\(location): "
    return "\(start)\(kind) (\(consequence.text))"
  }

  /// The loss as JSON.
  package var json: JSONValue {
    .object([
      "location": location.isEmpty ? nil : .string(location), "loss": .string("\(kind)"),
      "consequence": .string(consequence.rawValue),
    ])
  }
}

extension InterchangeLoss.Consequence {
  /// The effect on the result as text.
  package var text: String {
    switch self {
    case .stricter: "the result allows less"
    case .weaker: "the result allows more"
    case .answer: "the call is refused with another error"
    case .none: "the result means the same"
    }
  }
}

extension InterchangeLoss.Kind: CustomStringConvertible {
  /// The loss as a sentence without a final period.
  package var description: String {
    switch self {
    case .unknownMember(let name): "\"\(name)\" is unknown or not about calls; it is ignored"
    case .unknownNames(let names): "unknown calls on these architectures: \(Self.list(names))"
    case .repeatedArgument(let index):
      "several comparisons of argument \(index) in one rule: container runtimes split them into separate rules, so "
        + "one match is sufficient"
    case .overlappingActions(let calls):
      "rules with different actions match the same call; the library of a container runtime chooses one of them, "
        + "Darkroom uses the first: \(Self.list(calls))"
    case .mergedRules(let call, let first, let merged, let library):
      "\(library) merges the rules, so \(call) returns \(merged) instead of \(first) from the first matching rule"
    case .unmergedRules(let calls, let library):
      "\(library) does not know these calls, for which the first matching rule is used: \(Self.list(calls))"
    case .condition(let text, true): "applies only \(text); the condition is assumed to be true"
    case .condition(let text, false):
      "applies only \(text); the condition is assumed to be false, so the rule is ignored"
    case .unknownArchitecture(let name): "unknown architecture \(name); it is ignored"
    case .otherArchitectures(let names):
      "calls of other architectures kill the process: \(Self.list(names))"
    case .unknownNumbers: "unassigned call numbers return ENOSYS"
    case .core(_, let reason): "no session can make the call: \(reason)"
    case .execution(let text): text
    case .difference(_, let example): "for example \(example)"
    case .supervised(_, let example):
      "a supervisor or tracer decides about calls such as \(example), and may allow them; a session has neither"
    case .upperHalf(_, let argument):
      "the kernel reads argument \(argument) as 32 bits, and one of the two filters compares only these bits"
    case .differentAnswers(let text), .outsideFilter(let text), .ambiguous(let text): text
    case .unreadableInclude(let path): "includes \(path), which cannot be read"
    }
  }

  /// Returns words separated by commas, up to a maximum number.
  private static func list(_ words: [String]) -> String {
    let shown = words.prefix(12).joined(separator: ", ")
    return words.count > 12 ? "\(shown) and \(words.count - 12) more" : shown
  }
}
