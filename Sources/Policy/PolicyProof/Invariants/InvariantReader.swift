// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SandboxPolicy
internal import SystemCalls

/// A reader of the values of a document of invariants.
struct InvariantReader {
  /// The document's name in messages.
  let source: String

  /// Returns an error about a node.
  func error(_ mistake: InvariantMistake, _ node: JSONNode) -> InvariantError {
    InvariantError(origin: PolicyOrigin(source: source, position: node.position), mistake: mistake)
  }

  /// Returns the members of an object.
  func members(_ node: JSONNode, _ key: String, known: [String]) throws(InvariantError) -> [String: JSONNode]
  {
    guard case .object(let members) = node.kind else {
      throw error(.wrongKind(key: key, expected: "an object", found: node.kindName), node)
    }
    var found: [String: JSONNode] = [:]
    for member in members {
      guard known.contains(member.name) else {
        throw error(.unknownKey(member.name, known: known), member.value)
      }
      found[member.name] = member.value
    }
    return found
  }

  /// Returns the elements of a nonempty array.
  func elements(_ node: JSONNode, _ key: String) throws(InvariantError) -> [JSONNode] {
    guard case .array(let elements) = node.kind, !elements.isEmpty else {
      throw error(.wrongKind(key: key, expected: "a nonempty array", found: node.kindName), node)
    }
    return elements
  }

  /// Returns the value of a required string member.
  func text(_ members: [String: JSONNode], _ key: String, _ node: JSONNode) throws(InvariantError) -> String {
    guard let member = members[key] else { throw error(.missingKey(key), node) }
    guard case .string(let text) = member.kind, !text.isEmpty else {
      throw error(.wrongKind(key: key, expected: "a text", found: member.kindName), member)
    }
    return text
  }

  func invariant(_ node: JSONNode) throws(InvariantError) -> Invariant {
    let members = try members(node, "an invariant", known: ["name", "reason", "never"])
    guard let never = members["never"] else { throw error(.missingKey("never"), node) }
    var forbidden: [ForbiddenCalls] = []
    for element in try elements(never, "never") { forbidden.append(try calls(element)) }
    return Invariant(
      name: try text(members, "name", node),
      reason: try text(members, "reason", node),
      forbidden: forbidden,
      origin: PolicyOrigin(source: source, position: node.position)
    )
  }

  /// Returns an element of `never`.
  private func calls(_ node: JSONNode) throws(InvariantError) -> ForbiddenCalls {
    if case .string(let name) = node.kind { return ForbiddenCalls(try call(name, node)) }
    let subjects = ["call", "everyCallOf", "unknownCallsOf"]
    let members = try members(node, "an element of never", known: subjects + ["when", "unless"])
    let subject: ForbiddenCalls.Subject
    if members["everyCallOf"] != nil {
      subject = .every(try architecture(members, "everyCallOf", node))
    } else if members["unknownCallsOf"] != nil {
      subject = .unknown(try architecture(members, "unknownCallsOf", node))
    } else {
      subject = try call(try text(members, "call", node), node)
    }
    return ForbiddenCalls(
      subject,
      when: try conditions(members["when"], "when"),
      unless: try conditions(members["unless"], "unless")
    )
  }

  private func call(_ name: String, _ node: JSONNode) throws(InvariantError) -> ForbiddenCalls.Subject {
    // A misspelled name would forbid nothing.
    guard CallTable.allNames.contains(name) else { throw error(.unknownCall(name), node) }
    return .call(name)
  }

  private func architecture(
    _ members: [String: JSONNode],
    _ key: String,
    _ node: JSONNode
  ) throws(InvariantError) -> CallArchitecture {
    let name = try text(members, key, node)
    guard let architecture = CallArchitecture(rawValue: name) else {
      let known = CallArchitecture.allCases.map(\.rawValue)
      throw error(.unknownArchitecture(name, known: known), node)
    }
    return architecture
  }

  private func conditions(_ node: JSONNode?, _ key: String) throws(InvariantError) -> [InvariantCondition] {
    guard let node else { return [] }
    var conditions: [InvariantCondition] = []
    for element in try elements(node, key) { conditions.append(try condition(element)) }
    return conditions
  }

  private func condition(_ node: JSONNode) throws(InvariantError) -> InvariantCondition {
    let members = try members(node, "a condition", known: ["index", "mask", "equals", "oneOf"])
    guard let indexNode = members["index"] else { throw error(.missingKey("index"), node) }
    guard case .integer(let index) = indexNode.kind else {
      throw error(.wrongKind(key: "index", expected: "a number", found: indexNode.kindName), indexNode)
    }
    guard (0...5).contains(index) else { throw error(.argumentIndex(index), indexNode) }
    let mask = try members["mask"].map { node throws(InvariantError) in try value(node) } ?? 0xFFFF_FFFF
    var values: [UInt64] = []
    if let node = members["oneOf"] {
      for element in try elements(node, "oneOf") { values.append(try value(element)) }
    } else if let node = members["equals"] {
      values = [try value(node)]
    } else {
      throw error(.missingKey("equals"), node)
    }
    if let value = values.first(where: { $0 & ~mask != 0 }) {
      throw error(.valueOutsideMask(value: value, mask: mask), node)
    }
    return InvariantCondition(index: Int(index), mask: mask, values: values)
  }

  /// Returns the value of a constant, or `nil` if it does not exist. For a negative `int`, the value is the
  /// lower half, which is all that a condition compares by default.
  private func constant(_ name: String) -> UInt64? {
    ConstantTable.narrowValue(of: name).map(UInt64.init) ?? ConstantTable.value(of: name)
  }

  /// Returns the value of a number, or of numbers and constants joined by `|`.
  private func value(_ node: JSONNode) throws(InvariantError) -> UInt64 {
    switch node.kind {
    case .integer(let number) where number >= 0: return UInt64(number)
    case .string(let text):
      var value: UInt64 = 0
      for word in text.split(separator: "|", omittingEmptySubsequences: false) {
        let word = String(word.filter { $0 != " " })
        if word.hasPrefix("0x"), let part = UInt64(word.dropFirst(2), radix: 16) {
          value |= part
        } else if let part = UInt64(word) ?? constant(word) {
          value |= part
        } else {
          throw error(.value(word), node)
        }
      }
      return value
    default:
      throw error(.wrongKind(key: "a value", expected: "a number or a string", found: node.kindName), node)
    }
  }
}
