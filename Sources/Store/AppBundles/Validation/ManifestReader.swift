// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Reads the values of one manifest, and goes on after each fault so that all of them are found.
struct ManifestReader {
  /// The manifest's path, from the bundle's directory.
  let file: String
  /// What has been found wrong.
  var diagnostics: [ManifestDiagnostic] = []

  /// The longest text, in bytes: names, titles, reasons and arguments.
  static let longestText = 4096

  /// Begins to read.
  init(file: String) { self.file = file }

  /// Notes a fault.
  mutating func add(_ fault: ManifestFault, _ key: String, at position: TextPosition?) {
    diagnostics.append(ManifestDiagnostic(file: file, position: position, key: key, fault: fault))
  }

  /// The members of an object by name, or none if it is no object; notes unknown and missing keys.
  mutating func object(_ node: JSONNode, _ key: String, _ keys: ManifestKeys) -> [String: JSONNode] {
    guard let members = members(node, key) else { return [:] }
    let prefix = key.isEmpty ? "" : "\(key)."
    for member in members where !keys.all.contains(member.name) {
      let fault = ManifestFault.keyUnknown(
        nearest: nearest(to: member.name, among: keys.all),
        known: keys.all
      )
      add(fault, prefix + member.name, at: member.position)
    }
    for name in keys.required where !members.contains(where: { $0.name == name }) {
      add(.keyMissing, prefix + name, at: node.position)
    }
    return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The members of an object, or nil if it is none.
  mutating func members(_ node: JSONNode, _ key: String) -> [JSONNode.Member]? {
    if case .object(let members) = node.kind { return members }
    add(.wrongType(expected: "an object", found: node.kindName), key, at: node.position)
    return nil
  }

  /// A text for people or programs: not too long, nothing that a terminal would obey.
  mutating func text(_ node: JSONNode?, _ key: String, allowsEmpty: Bool = false) -> String? {
    guard let node else { return nil }
    guard case .string(let text) = node.kind else {
      add(.wrongType(expected: "a string", found: node.kindName), key, at: node.position)
      return nil
    }
    let fault: ManifestFault? =
      if text.utf8.count > Self.longestText {
        .textTooLong(limit: Self.longestText)
      } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        .controlCharacter
      } else if !allowsEmpty, text.allSatisfy(\.isWhitespace) {
        .textEmpty
      } else {
        nil
      }
    if let fault {
      add(fault, key, at: node.position)
      return nil
    }
    return text
  }

  /// The elements of an array with their keys; none if it is no array.
  mutating func elements(_ node: JSONNode?, _ key: String) -> [(key: String, node: JSONNode)] {
    guard let node else { return [] }
    guard case .array(let elements) = node.kind else {
      add(.wrongType(expected: "an array", found: node.kindName), key, at: node.position)
      return []
    }
    return elements.enumerated().map { ("\(key)[\($0.offset)]", $0.element) }
  }

  /// The texts in an array.
  mutating func texts(_ node: JSONNode?, _ key: String, allowsEmpty: Bool = false) -> [String] {
    elements(node, key).compactMap { text($0.node, $0.key, allowsEmpty: allowsEmpty) }
  }

  /// One of a few values.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ node: JSONNode?,
    _ key: String,
    _ type: Choice.Type
  ) -> Choice? {
    guard let node, let found = text(node, key, allowsEmpty: true) else { return nil }
    if let choice = Choice(rawValue: found) { return choice }
    add(.notAChoice(found: found, choices: Choice.allCases.map(\.rawValue)), key, at: node.position)
    return nil
  }

  /// A truth value.
  mutating func truth(_ node: JSONNode?, _ key: String) -> Bool? {
    guard let node else { return nil }
    if let truth = node.value.bool { return truth }
    add(.wrongType(expected: "true or false", found: node.kindName), key, at: node.position)
    return nil
  }

  /// A number in a range.
  mutating func number(_ node: JSONNode?, _ key: String, _ range: ClosedRange<Double>) -> Double? {
    guard let node else { return nil }
    guard let number = node.value.double else {
      add(.wrongType(expected: "a number", found: node.kindName), key, at: node.position)
      return nil
    }
    if range.contains(number) { return number }
    add(.outOfRange(found: number, range: range), key, at: node.position)
    return nil
  }

  /// A reverse-DNS id.
  mutating func identifier(_ node: JSONNode?, _ key: String) -> String? {
    guard let node, let found = text(node, key) else { return nil }
    guard let problem = ReverseDNSName.problem(with: found) else { return found }
    add(.badIdentifier(found: found, problem: problem), key, at: node.position)
    return nil
  }

  /// The reasons for using what belongs to the person.
  mutating func usageDescriptions(_ node: JSONNode?) -> UsageDescriptions {
    let key = "usageDescriptions"
    var descriptions = UsageDescriptions()
    guard let node else { return descriptions }
    let members = object(node, key, .usageDescriptions)
    for resource in ProtectedResource.allCases {
      descriptions[resource] = text(members[resource.rawValue], "\(key).\(resource.rawValue)")
    }
    return descriptions
  }
}
