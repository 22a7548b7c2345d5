// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SystemCalls

/// Reads profiles from JSON, and gathers what cannot be kept.
struct OCIReader {
  /// What `includes` and `excludes` are asked about.
  let context: OCIContext
  /// The text that is read.
  let source: [UInt8]
  /// What cannot be kept.
  var losses: [InterchangeLoss] = []

  /// The number that a refused call fails with where the profile says none. The corresponding constant is `EPERM`.
  private static let standardErrno: UInt16 = 1
  /// Members that say nothing and may always stand there.
  private static let remarks: Set<String> = ["comment", "$comment", "$schema"]
  /// Members of a profile that are read.
  private static let members: Set<String> = [
    "defaultAction", "defaultErrnoRet", "defaultErrno", "architectures", "archMap", "syscalls", "flags",
  ]

  /// Reads a text under some circumstances.
  init(_ text: [UInt8], _ context: OCIContext) {
    source = text
    self.context = context
  }

  /// Reads a profile; one that stands in a container's whole configuration is found there.
  mutating func profile(_ root: JSONNode) throws(InterchangeError) -> CallProfile {
    if let inner = root["linux"]?["seccomp"] { return try profile(inner) }
    let members = try object(root, "the profile")
    for member in members where !Self.members.contains(member.name) { note(member, in: "") }
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

  /// Notes a member that is not read.
  mutating func note(_ member: JSONNode.Member, in place: String) {
    guard !Self.remarks.contains(member.name), !Self.isEmpty(member.value) else { return }
    losses.append(InterchangeLoss(place, .unknownMember(member.name), .none))
  }

  /// Whether a value says nothing.
  private static func isEmpty(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .bool, .integer, .number: false
    }
  }

  /// The architectures that the rules are about; that of the machine is always one.
  private mutating func architectures(_ root: JSONNode) throws(InterchangeError) -> [CallArchitecture] {
    var names: [String] = []
    let listed = try root["architectures"].map { node throws(InterchangeError) in
      try texts(node, "architectures")
    }
    if let map = root["archMap"], !Self.isEmpty(map) {
      guard listed?.isEmpty ?? true else {
        throw InterchangeError(map.position, .both("architectures", "archMap"))
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

  /// Flags of loading: one of them leaves a protection out.
  private mutating func flags(_ node: JSONNode?) throws(InterchangeError) {
    guard let node, !node.value.isNull else { return }
    for flag in try texts(node, "flags") {
      let consequence: InterchangeLoss.Consequence =
        flag == "SECCOMP_FILTER_FLAG_SPEC_ALLOW" ? .stricter : .none
      losses.append(InterchangeLoss("flags", .unknownMember(flag), consequence))
    }
  }

  /// An action with its number.
  func action(_ node: JSONNode, _ member: String, _ number: UInt16?) throws(InterchangeError) -> Verdict {
    let name = try text(node, member)
    guard let action = OCINames.action(name, number: number ?? Self.standardErrno) else {
      throw InterchangeError(node.position, .action(name))
    }
    return action
  }

  /// The number of a refusal: by name, as Podman writes it, or else as a number; nil if there is none.
  func errno(_ name: JSONNode?, _ number: JSONNode?, _ member: String) throws(InterchangeError) -> UInt16? {
    if let name, !name.value.isNull {
      let text = try text(name, "errno")
      if !text.isEmpty {
        guard let value = ErrorNames.number(of: text) ?? UInt16(text) else {
          throw InterchangeError(name.position, .unknownWord(text, kind: "error"))
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
    // libseccomp hands the kernel all 16 bits, and the kernel takes the largest error for any larger one.
    return min(small, 4095)
  }
}

/// Values of some kind.
extension OCIReader {
  /// The members of an object.
  func object(_ node: JSONNode, _ member: String) throws(InterchangeError) -> [JSONNode.Member] {
    guard case .object(let members) = node.kind else { throw Self.kind(node, member, "an object") }
    return members
  }

  /// The elements of an array.
  func elements(_ node: JSONNode, _ member: String) throws(InterchangeError) -> [JSONNode] {
    guard case .array(let elements) = node.kind else { throw Self.kind(node, member, "an array") }
    return elements
  }

  /// A string.
  func text(_ node: JSONNode, _ member: String) throws(InterchangeError) -> String {
    guard case .string(let text) = node.kind else { throw Self.kind(node, member, "a string") }
    return text
  }

  /// Strings; none if there is no list.
  func texts(_ node: JSONNode, _ member: String) throws(InterchangeError) -> [String] {
    if node.value.isNull { return [] }
    return try elements(node, member).map { element throws(InterchangeError) in try text(element, member) }
  }

  /// A value of another kind.
  static func kind(_ node: JSONNode, _ member: String, _ expected: String) -> InterchangeError {
    InterchangeError(
      node.position,
      .wrongKind(member: member, expected: expected, found: node.kindName)
    )
  }
}
