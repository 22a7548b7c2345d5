// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Parses the values of one manifest, continuing after each error so that all errors are found.
struct ManifestReader {
  /// The path of the manifest, relative to the bundle.
  let file: String
  /// The problems found.
  var diagnostics: [ManifestDiagnostic] = []

  /// The maximum length of a text in bytes: names, titles, usage descriptions and arguments.
  static let longestText = 4096

  /// Creates a reader for a file.
  init(file: String) { self.file = file }

  /// Adds a diagnostic.
  mutating func add(_ fault: ManifestFault, _ key: String, at position: TextPosition?) {
    diagnostics.append(ManifestDiagnostic(file: file, position: position, key: key, fault: fault))
  }

  /// Returns the members of an object by name, or an empty dictionary if the value is not an object. Adds
  /// diagnostics for unknown and missing keys.
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

  /// Returns the members of an object, or `nil` if the value is not an object.
  mutating func members(_ node: JSONNode, _ key: String) -> [JSONNode.Member]? {
    if case .object(let members) = node.kind { return members }
    add(.wrongType(expected: "an object", found: node.kindName), key, at: node.position)
    return nil
  }

  /// Returns a text without control characters and of limited length.
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

  /// Returns the elements of an array with their key paths, or an empty array if the value is not an array.
  mutating func elements(_ node: JSONNode?, _ key: String) -> [(key: String, node: JSONNode)] {
    guard let node else { return [] }
    guard case .array(let elements) = node.kind else {
      add(.wrongType(expected: "an array", found: node.kindName), key, at: node.position)
      return []
    }
    return elements.enumerated().map { ("\(key)[\($0.offset)]", $0.element) }
  }

  /// Returns the texts in an array.
  mutating func texts(_ node: JSONNode?, _ key: String, allowsEmpty: Bool = false) -> [String] {
    elements(node, key).compactMap { text($0.node, $0.key, allowsEmpty: allowsEmpty) }
  }

  /// Returns one of a set of choices.
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

  /// Returns a Boolean value.
  mutating func boolean(_ node: JSONNode?, _ key: String) -> Bool? {
    guard let node else { return nil }
    if let boolean = node.value.bool { return boolean }
    add(.wrongType(expected: "true or false", found: node.kindName), key, at: node.position)
    return nil
  }

  /// Returns a number in a range.
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

  /// Returns a reverse-DNS name.
  mutating func identifier(_ node: JSONNode?, _ key: String) -> String? {
    guard let node, let found = text(node, key) else { return nil }
    guard let problem = ReverseDNSName.problem(with: found) else { return found }
    add(.badIdentifier(found: found, problem: problem), key, at: node.position)
    return nil
  }

  /// Returns the usage descriptions of protected resources.
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
