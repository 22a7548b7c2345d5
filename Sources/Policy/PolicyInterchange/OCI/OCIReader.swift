// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SystemCalls

/// A parser for JSON profiles that collects losses.
struct OCIReader {
  /// The facts that `includes` and `excludes` test.
  let context: OCIContext
  /// The text of the profile.
  let source: [UInt8]
  /// The losses so far.
  var losses: [InterchangeLoss] = []

  /// The default error number of a refused call. The corresponding constant is `EPERM`.
  private static let standardErrno: UInt16 = 1
  /// The members for comments, which are ignored everywhere.
  private static let commentMembers: Set<String> = ["comment", "$comment", "$schema"]
  /// The members of a profile that are read.
  private static let members: Set<String> = [
    "defaultAction", "defaultErrnoRet", "defaultErrno", "architectures", "archMap", "syscalls", "flags",
  ]

  /// Creates a parser for a text and a context.
  init(_ text: [UInt8], _ context: OCIContext) {
    source = text
    self.context = context
  }

  /// Reads a profile, or the profile within a complete container configuration.
  mutating func profile(_ root: JSONNode) throws(InterchangeError) -> CallProfile {
    if let inner = root["linux"]?["seccomp"] { return try profile(inner) }
    let members = try object(root, "the profile")
    for member in members where !Self.members.contains(member.name) { recordUnknownMember(member, in: "") }
    guard let action = root["defaultAction"], try text(action, "defaultAction") != "" else {
      throw InterchangeError(root.position, .missing("\"defaultAction\""))
    }
    let number = try errno(root["defaultErrno"], root["defaultErrnoRet"], "defaultErrnoRet")
    var profile = CallProfile(defaultAction: try self.action(action, "defaultAction", number))
    profile.architectures = try architectures(root)
    try flags(root["flags"])
    if let calls = root["syscalls"], !calls.value.isNull {
      for (index, entry) in try elements(calls, "syscalls").enumerated() {
        profile.rules += try rules(entry, "syscalls[\(index)]")
      }
    }
    return profile
  }

  /// Records an unknown member.
  mutating func recordUnknownMember(_ member: JSONNode.Member, in location: String) {
    guard !Self.commentMembers.contains(member.name), !Self.isEmpty(member.value) else { return }
    losses.append(InterchangeLoss(location, .unknownMember(member.name), .none))
  }

  /// Returns whether a value is empty.
  private static func isEmpty(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .bool, .integer, .number: false
    }
  }

  /// Reads the architectures of the rules, which always include the machine's architecture.
  private mutating func architectures(_ root: JSONNode) throws(InterchangeError) -> [CallArchitecture] {
    var names: [String] = []
    let listed = try root["architectures"].map { node throws(InterchangeError) in
      try texts(node, "architectures")
    }
    if let map = root["archMap"], !Self.isEmpty(map) {
      guard listed?.isEmpty ?? true else {
        throw InterchangeError(map.position, .conflictingMembers("architectures", "archMap"))
      }
      for entry in try elements(map, "archMap") {
        guard let name = entry["architecture"] else { continue }
        let main = try text(name, "architecture")
        guard OCINames.architecture(main) == context.architecture else { continue }
        names +=
          [main]
          + (try entry["subArchitectures"].map { node throws(InterchangeError) in
            try texts(node, "subArchitectures")
          } ?? [])
        break
      }
    } else {
      names = listed ?? []
    }
    var architectures = [context.architecture]
    for name in names {
      guard let architecture = OCINames.architecture(name) else {
        losses.append(InterchangeLoss("architectures", .unknownArchitecture(name), .none))
        continue
      }
      if !architectures.contains(architecture) { architectures.append(architecture) }
    }
    return architectures
  }

  /// Records the filter flags. Only `SECCOMP_FILTER_FLAG_SPEC_ALLOW` disables a protection.
  private mutating func flags(_ node: JSONNode?) throws(InterchangeError) {
    guard let node, !node.value.isNull else { return }
    for flag in try texts(node, "flags") {
      let consequence: InterchangeLoss.Consequence =
        flag == "SECCOMP_FILTER_FLAG_SPEC_ALLOW" ? .stricter : .none
      losses.append(InterchangeLoss("flags", .unknownMember(flag), consequence))
    }
  }

  /// Reads an action with its number.
  func action(_ node: JSONNode, _ member: String, _ number: UInt16?) throws(InterchangeError) -> Verdict {
    let name = try text(node, member)
    guard let action = OCINames.action(name, number: number ?? Self.standardErrno) else {
      throw InterchangeError(node.position, .unknownAction(name))
    }
    return action
  }

  /// Reads an error number, or returns `nil` if it is absent. Podman writes the name of the error, which has
  /// priority.
  func errno(_ name: JSONNode?, _ number: JSONNode?, _ member: String) throws(InterchangeError) -> UInt16? {
    if let name, !name.value.isNull {
      let text = try text(name, "errno")
      if !text.isEmpty {
        guard let value = ErrorNames.number(of: text) ?? UInt16(text) else {
          throw InterchangeError(name.position, .unknownKeyword(text, kind: "error"))
        }
        return value
      }
    }
    guard let number, !number.value.isNull else { return nil }
    guard case .integer(let value) = number.kind, let small = UInt16(exactly: value) else {
      throw InterchangeError(
        number.position,
        .wrongKind(member: member, expected: "a number below 65536", found: number.kindName)
      )
    }
    // libseccomp passes all 16 bits, and the kernel replaces larger numbers with its maximum, 4095.
    return min(small, 4095)
  }
}

/// Typed access to JSON values.
extension OCIReader {
  /// Returns the members of an object.
  func object(_ node: JSONNode, _ member: String) throws(InterchangeError) -> [JSONNode.Member] {
    guard case .object(let members) = node.kind else { throw Self.kind(node, member, "an object") }
    return members
  }

  /// Returns the elements of an array.
  func elements(_ node: JSONNode, _ member: String) throws(InterchangeError) -> [JSONNode] {
    guard case .array(let elements) = node.kind else { throw Self.kind(node, member, "an array") }
    return elements
  }

  /// Returns the text of a string.
  func text(_ node: JSONNode, _ member: String) throws(InterchangeError) -> String {
    guard case .string(let text) = node.kind else { throw Self.kind(node, member, "a string") }
    return text
  }

  /// Returns the texts of an array of strings, or an empty array for null.
  func texts(_ node: JSONNode, _ member: String) throws(InterchangeError) -> [String] {
    if node.value.isNull { return [] }
    return try elements(node, member).map { element throws(InterchangeError) in try text(element, member) }
  }

  /// Creates an error for a value of the wrong type.
  static func kind(_ node: JSONNode, _ member: String, _ expected: String) -> InterchangeError {
    InterchangeError(
      node.position,
      .wrongKind(member: member, expected: expected, found: node.kindName)
    )
  }
}
