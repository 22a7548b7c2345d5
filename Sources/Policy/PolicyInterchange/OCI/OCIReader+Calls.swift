// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText

extension OCIReader {
  /// The members of an entry of `syscalls` that are read.
  private static let entryMembers: Set<String> = [
    "name", "names", "action", "errnoRet", "errno", "args", "includes", "excludes", "comment",
  ]

  /// Reads the rules of an entry of `syscalls`.
  mutating func rules(_ node: JSONNode, _ location: String) throws(InterchangeError) -> [CallProfile.Rule] {
    for member in try object(node, location) where !Self.entryMembers.contains(member.name) {
      recordUnknownMember(member, in: location)
    }
    let names = try names(node, location)
    guard let action = node["action"] else {
      throw InterchangeError(node.position, .missing("\"action\""))
    }
    let verdict = try self.action(action, "action", errno(node["errno"], node["errnoRet"], "errnoRet"))
    guard try applies(node, location) else { return [] }
    var conditions: [ArgumentComparison] = []
    if let arguments = node["args"], !arguments.value.isNull {
      for (index, argument) in try elements(arguments, "args").enumerated() {
        conditions.append(try condition(argument, "\(location).args[\(index)]"))
      }
    }
    return split(CallProfile.Rule(names, verdict, where: conditions, location: location))
  }

  /// Reads the call names of an entry.
  private func names(_ node: JSONNode, _ location: String) throws(InterchangeError) -> [String] {
    let many = try node["names"].map { node throws(InterchangeError) in try texts(node, "names") } ?? []
    let one = try node["name"].map { node throws(InterchangeError) in try text(node, "name") } ?? ""
    guard many.isEmpty || one.isEmpty else {
      throw InterchangeError(node.position, .conflictingMembers("name", "names"))
    }
    guard !many.isEmpty || !one.isEmpty else {
      throw InterchangeError(node.position, .missing("\"names\" of \(location)"))
    }
    return many.isEmpty ? [one] : many
  }

  /// Splits a rule with several comparisons of one argument into one rule for each comparison, as container
  /// runtimes do.
  ///
  /// libseccomp rejects such a rule. Earlier versions interpreted the comparisons as alternatives.
  private mutating func split(_ rule: CallProfile.Rule) -> [CallProfile.Rule] {
    var seen: Set<Int> = []
    guard let repeated = rule.conditions.first(where: { !seen.insert($0.index).inserted }) else {
      return [rule]
    }
    losses.append(InterchangeLoss(rule.location, .repeatedArgument(repeated.index), .none))
    return rule.conditions.map { condition in
      var part = rule
      part.conditions = [condition]
      return part
    }
  }

  /// Reads a comparison.
  private mutating func condition(_ node: JSONNode, _ location: String) throws(InterchangeError)
    -> ArgumentComparison
  {
    for member in try object(node, location)
    where !["index", "value", "valueTwo", "op"].contains(member.name) {
      recordUnknownMember(member, in: location)
    }
    guard let index = node["index"] else { throw InterchangeError(node.position, .missing("\"index\"")) }
    guard case .integer(let argument) = index.kind, (0...5).contains(argument) else {
      throw InterchangeError(index.position, .invalidArgument(index.value.text()))
    }
    guard let operation = node["op"] else { throw InterchangeError(node.position, .missing("\"op\"")) }
    let name = try text(operation, "op")
    let value = try number(node["value"])
    if name == "SCMP_CMP_MASKED_EQ" {
      return ArgumentComparison(Int(argument), .masked(value), try number(node["valueTwo"]))
    }
    guard let plain = OCINames.operations.first(where: { $0.key == name })?.value else {
      throw InterchangeError(operation.position, .unknownKeyword(name, kind: "operator"))
    }
    return ArgumentComparison(Int(argument), plain, value)
  }

  /// Reads a 64-bit number, or returns zero if the member is absent or null.
  private func number(_ node: JSONNode?) throws(InterchangeError) -> UInt64 {
    guard let node, !node.value.isNull else { return 0 }
    if case .integer(let number) = node.kind, number >= 0 { return UInt64(number) }
    // The JSON parser keeps numbers above 2^63 - 1 as floating point, which loses digits.
    if case .number = node.kind, let number = UInt64(digits(at: node.position)) { return number }
    throw InterchangeError(node.position, .invalidNumber(node.value.text()))
  }

  /// Returns the digits at a position of the text.
  private func digits(at position: TextPosition) -> String {
    let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines[position.line - 1].dropFirst(position.column - 1)
    return String(decoding: rest.prefix { !Self.isEnd($0) }, as: UTF8.self)
  }

  /// Returns whether a byte terminates a number.
  private static func isEnd(_ byte: UInt8) -> Bool {
    [UInt8(ascii: ","), UInt8(ascii: "}"), 0x20, 0x09, 0x0D].contains(byte)
  }
}

/// Conditions of Docker's `includes` and `excludes`.
extension OCIReader {
  /// Returns whether an entry applies in the context.
  private mutating func applies(_ node: JSONNode, _ location: String) throws(InterchangeError) -> Bool {
    if let excludes = node["excludes"], !excludes.value.isNull {
      for requirement in try requirements(excludes, location) where requirement.isSatisfied {
        note(requirement, isMet: false, negated: true, location)
        return false
      }
    }
    if let includes = node["includes"], !includes.value.isNull {
      let requirements = try requirements(includes, location)
      if let missing = requirements.first(where: { !$0.isSatisfied }) {
        note(missing, isMet: false, negated: false, location)
        return false
      }
      if let first = requirements.first { note(first, isMet: true, negated: false, location) }
    }
    return true
  }

  /// A requirement of an entry.
  private struct Requirement {
    /// The requirement as the end of a sentence that starts with "applies only".
    var text: String
    /// Whether the context satisfies the requirement.
    var isSatisfied: Bool
    /// Whether the machine determines the requirement, so that it is not an assumption.
    var isMachineProperty: Bool
  }

  /// Records an assumption that decides whether an entry applies.
  private mutating func note(_ requirement: Requirement, isMet: Bool, negated: Bool, _ location: String) {
    guard !requirement.isMachineProperty else { return }
    let text = negated ? "without \(requirement.text)" : "with \(requirement.text)"
    losses.append(InterchangeLoss(location, .condition(text, isAssumed: isMet), .none))
  }

  /// Reads the requirements in `includes` or `excludes`: each capability, one of the architectures, and a
  /// kernel version.
  private mutating func requirements(_ node: JSONNode, _ location: String) throws(InterchangeError)
    -> [Requirement]
  {
    for member in try object(node, "includes") where !["arches", "caps", "minKernel"].contains(member.name) {
      recordUnknownMember(member, in: location)
    }
    var requirements: [Requirement] = []
    if let arches = node["arches"], !arches.value.isNull {
      let names = try texts(arches, "arches")
      let isListed = names.contains { OCINames.goArchitectures[$0] == context.architecture }
      if !names.isEmpty {
        requirements.append(
          Requirement(text: names.joined(separator: " or "), isSatisfied: isListed, isMachineProperty: true)
        )
      }
    }
    if let caps = node["caps"] {
      for name in try texts(caps, "caps") {
        requirements.append(
          Requirement(text: name, isSatisfied: context.capabilities.contains(name), isMachineProperty: false)
        )
      }
    }
    if let kernel = node["minKernel"], !kernel.value.isNull {
      let text = try text(kernel, "minKernel")
      guard let isNew = context.isKernel(atLeast: text) else {
        throw InterchangeError(kernel.position, .unknownKeyword(text, kind: "version such as \"4.8\""))
      }
      requirements.append(
        Requirement(text: "Linux \(text) or newer", isSatisfied: isNew, isMachineProperty: false)
      )
    }
    return requirements
  }
}
