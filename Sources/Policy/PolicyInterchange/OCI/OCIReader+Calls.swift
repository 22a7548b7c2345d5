// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText

extension OCIReader {
  /// Members of an entry of `syscalls` that are read.
  private static let entryMembers: Set<String> = [
    "name", "names", "action", "errnoRet", "errno", "args", "includes", "excludes", "comment",
  ]

  /// The rules of one entry of `syscalls`.
  mutating func rules(_ node: JSONNode, _ place: String) throws(InterchangeError) -> [CallProfile.Rule] {
    for member in try object(node, place) where !Self.entryMembers.contains(member.name) {
      note(member, in: place)
    }
    let names = try names(node, place)
    guard let action = node["action"] else {
      throw InterchangeError(node.position, .missing("\"action\""))
    }
    let verdict = try self.action(action, "action", errno(node["errno"], node["errnoRet"], "errnoRet"))
    guard try applies(node, place) else { return [] }
    var conditions: [ArgumentComparison] = []
    if let arguments = node["args"], !arguments.value.isNull {
      for (index, argument) in try elements(arguments, "args").enumerated() {
        conditions.append(try condition(argument, "\(place).args[\(index)]"))
      }
    }
    return split(CallProfile.Rule(names, verdict, where: conditions, place: place))
  }

  /// The names of an entry.
  private func names(_ node: JSONNode, _ place: String) throws(InterchangeError) -> [String] {
    let many = try node["names"].map { node throws(InterchangeError) in try texts(node, "names") } ?? []
    let one = try node["name"].map { node throws(InterchangeError) in try text(node, "name") } ?? ""
    guard many.isEmpty || one.isEmpty else { throw InterchangeError(node.position, .both("name", "names")) }
    guard !many.isEmpty || !one.isEmpty else {
      throw InterchangeError(node.position, .missing("\"names\" of \(place)"))
    }
    return many.isEmpty ? [one] : many
  }

  /// A rule with two comparisons of one argument becomes a rule for each of its comparisons, as container runtimes have it:
  /// libseccomp takes no such rule, and before it refused them it took them for alternatives.
  private mutating func split(_ rule: CallProfile.Rule) -> [CallProfile.Rule] {
    var seen: Set<Int> = []
    guard let repeated = rule.conditions.first(where: { !seen.insert($0.index).inserted }) else {
      return [rule]
    }
    losses.append(InterchangeLoss(rule.place, .repeatedArgument(repeated.index), .none))
    return rule.conditions.map { condition in
      var part = rule
      part.conditions = [condition]
      return part
    }
  }

  /// One comparison.
  private mutating func condition(_ node: JSONNode, _ place: String) throws(InterchangeError)
    -> ArgumentComparison
  {
    for member in try object(node, place) where !["index", "value", "valueTwo", "op"].contains(member.name) {
      note(member, in: place)
    }
    guard let index = node["index"] else { throw InterchangeError(node.position, .missing("\"index\"")) }
    guard case .integer(let argument) = index.kind, (0...5).contains(argument) else {
      throw InterchangeError(index.position, .argument(index.value.text()))
    }
    guard let operation = node["op"] else { throw InterchangeError(node.position, .missing("\"op\"")) }
    let name = try text(operation, "op")
    let value = try number(node["value"])
    if name == "SCMP_CMP_MASKED_EQ" {
      return ArgumentComparison(Int(argument), .masked(value), try number(node["valueTwo"]))
    }
    guard let plain = OCINames.operations.first(where: { $0.key == name })?.value else {
      throw InterchangeError(operation.position, .unknownWord(name, kind: "operator"))
    }
    return ArgumentComparison(Int(argument), plain, value)
  }

  /// A 64-bit number; zero if there is none.
  private func number(_ node: JSONNode?) throws(InterchangeError) -> UInt64 {
    guard let node, !node.value.isNull else { return 0 }
    if case .integer(let number) = node.kind, number >= 0 { return UInt64(number) }
    // The reader of JSON keeps numbers above 2^63 - 1 as floating point, which has not all of their digits.
    if case .number = node.kind, let number = UInt64(digits(at: node.position)) { return number }
    throw InterchangeError(node.position, .number(node.value.text()))
  }

  /// The digits that stand at a place of the text.
  private func digits(at position: TextPosition) -> String {
    let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines[position.line - 1].dropFirst(position.column - 1)
    return String(decoding: rest.prefix { !Self.isEnd($0) }, as: UTF8.self)
  }

  /// Whether a byte ends a number.
  private static func isEnd(_ byte: UInt8) -> Bool {
    [UInt8(ascii: ","), UInt8(ascii: "}"), 0x20, 0x09, 0x0D].contains(byte)
  }
}

/// Docker's `includes` and `excludes`.
extension OCIReader {
  /// Whether an entry applies under the circumstances.
  private mutating func applies(_ node: JSONNode, _ place: String) throws(InterchangeError) -> Bool {
    if let excludes = node["excludes"], !excludes.value.isNull {
      for fact in try facts(excludes, place) where fact.isTrue {
        note(fact, isMet: false, negated: true, place)
        return false
      }
    }
    if let includes = node["includes"], !includes.value.isNull {
      let facts = try facts(includes, place)
      if let missing = facts.first(where: { !$0.isTrue }) {
        note(missing, isMet: false, negated: false, place)
        return false
      }
      if let first = facts.first { note(first, isMet: true, negated: false, place) }
    }
    return true
  }

  /// One thing that an entry depends on.
  private struct Fact {
    /// The thing, as the end of a sentence that begins with "applies only".
    var text: String
    /// Whether it is so.
    var isTrue: Bool
    /// Whether it is decided by the machine, and so no assumption.
    var isMachine: Bool
  }

  /// Notes an assumption that decides about an entry.
  private mutating func note(_ fact: Fact, isMet: Bool, negated: Bool, _ place: String) {
    guard !fact.isMachine else { return }
    let text = negated ? "without \(fact.text)" : "with \(fact.text)"
    losses.append(InterchangeLoss(place, .condition(text, isAssumed: isMet), .none))
  }

  /// The things that `includes` or `excludes` name: each capability, one of the architectures, a kernel.
  private mutating func facts(_ node: JSONNode, _ place: String) throws(InterchangeError) -> [Fact] {
    for member in try object(node, "includes") where !["arches", "caps", "minKernel"].contains(member.name) {
      note(member, in: place)
    }
    var facts: [Fact] = []
    if let arches = node["arches"], !arches.value.isNull {
      let names = try texts(arches, "arches")
      let isListed = names.contains { OCINames.goArchitectures[$0] == context.architecture }
      if !names.isEmpty {
        facts.append(Fact(text: names.joined(separator: " or "), isTrue: isListed, isMachine: true))
      }
    }
    if let caps = node["caps"] {
      for name in try texts(caps, "caps") {
        facts.append(Fact(text: name, isTrue: context.capabilities.contains(name), isMachine: false))
      }
    }
    if let kernel = node["minKernel"], !kernel.value.isNull {
      let text = try text(kernel, "minKernel")
      guard let isNew = context.isKernel(atLeast: text) else {
        throw InterchangeError(kernel.position, .unknownWord(text, kind: "version such as \"4.8\""))
      }
      facts.append(Fact(text: "Linux \(text) or newer", isTrue: isNew, isMachine: false))
    }
    return facts
  }
}
