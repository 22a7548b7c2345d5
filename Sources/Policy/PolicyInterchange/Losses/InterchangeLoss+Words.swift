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
      "place": location.isEmpty ? nil : .string(location), "what": .string("\(kind)"),
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
    case .answer: "the same is refused, with another answer"
    case .none: "the result means the same"
    }
  }
}

extension InterchangeLoss.Kind: CustomStringConvertible {
  /// The loss as a sentence without a final period.
  package var description: String {
    switch self {
    case .unknownMember(let name): "\"\(name)\" is not about calls, or not known here; it is left out"
    case .unknownNames(let names): "no call of these architectures: \(Self.list(names))"
    case .repeatedArgument(let index):
      "several comparisons with argument \(index) in one rule: container runtimes make a rule of each comparison, so one "
        + "that holds is enough"
    case .overlappingActions(let calls):
      "rules with different actions can match the same call, and the library of a container runtime decides which counts; "
        + "here the first does: \(Self.list(calls))"
    case .mergedRules(let call, let first, let merged, let library):
      "\(library) merges the rules so that \(call) is answered with \(merged), and not with \(first) as by the first rule "
        + "that matches"
    case .unmergedRules(let calls, let library):
      "\(library) does not know these calls, of whose rules the first counts here: \(Self.list(calls))"
    case .condition(let text, true): "applies only \(text), which is assumed"
    case .condition(let text, false): "applies only \(text), which is not assumed; it is left out"
    case .unknownArchitecture(let name): "the architecture \(name) is not known here; it is left out"
    case .otherArchitectures(let names):
      "calls of other architectures end a session: \(Self.list(names))"
    case .unknownNumbers: "numbers that mean nothing are answered with ENOSYS, not made"
    case .core(_, let reason): "not allowed to any session: \(reason)"
    case .execution(let text): text
    case .difference(_, let example): "for example \(example)"
    case .supervised(_, let example):
      "a supervisor or tracer answers \(example), for example, and may let it pass; a session has neither of them"
    case .upperHalf(_, let argument):
      "the kernel reads argument \(argument) as 32 bits, and one side compares no more"
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
