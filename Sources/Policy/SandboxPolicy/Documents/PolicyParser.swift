// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A parser of policy documents.
package enum PolicyParser {
  /// Parses a document.
  ///
  /// `source` is the document's name in messages. All mistakes in the document are thrown, in the order of
  /// the text.
  package static func parse(_ text: [UInt8], source: String) throws(PolicyDiagnostics) -> PolicyDocument {
    let root: JSONNode
    do {
      root = try JSONNode.parse(text)
    } catch {
      let origin = PolicyOrigin(source: source, position: error.position)
      let mistake = PolicyMistake.notJSON(error.reason)
      throw PolicyDiagnostics([PolicyDiagnostic(origin: origin, keyPath: "", mistake: mistake)])
    }
    var document = try parse(root, source: source)
    document.text = text
    return document
  }

  /// Parses a document from a string.
  package static func parse(_ text: String, source: String) throws(PolicyDiagnostics) -> PolicyDocument {
    try parse(Array(text.utf8), source: source)
  }

  /// Creates a document from parsed JSON. All mistakes in it are thrown, in the order of the text.
  package static func parse(_ root: JSONNode, source: String) throws(PolicyDiagnostics) -> PolicyDocument {
    var reader = PolicyReader(source: source)
    let document = reader.document(root)
    guard reader.diagnostics.isEmpty, let document else {
      throw PolicyDiagnostics(
        reader.diagnostics.sorted {
          let (a, b) = ($0.origin.position, $1.origin.position)
          return (a.line, a.column) < (b.line, b.column)
        }
      )
    }
    return document
  }
}

extension PolicyReader {
  /// Returns the whole document, or `nil` if it has no valid name.
  fileprivate mutating func document(_ root: JSONNode) -> PolicyDocument? {
    guard let members = members(root, "", as: PolicyKeys.Document.self) else { return nil }
    if members[.name] == nil { report(.missingKey("name"), in: root, "") }
    let name = members[.name].flatMap { self.name($0, "name") }
    let description = members[.description].map { text($0, "description") ?? "" } ?? ""
    let extends = members[.extends].flatMap { self.name($0, "extends") }
    let calls = members[.syscalls].flatMap { self.members($0, "syscalls", as: PolicyKeys.Syscalls.self) }
    let document = PolicyDocument(
      source: source,
      name: name ?? Sourced("", origin(root)),
      description: description,
      extends: extends,
      allow: allowed(calls?[.allow], "syscalls.allow"),
      deny: denied(calls?[.deny], "syscalls.deny"),
      readOnly: readOnly(members[.readOnly], "readOnly"),
      devices: devices(members[.devices], "devices"),
      scratchBytes: scratch(members[.scratch], "scratch"),
      limits: limits(members[.limits], "limits"),
      bestEffort: bestEffort(members[.bestEffort], "bestEffort"),
      acceptSingleMechanism: acceptSingleMechanism(members[.acceptSingleMechanism], "acceptSingleMechanism"),
      execute: keyword(members[.execute], "execute"),
      semaphores: keyword(members[.semaphores], "semaphores"),
      content: keyword(members[.content], "content"),
      kernel: kernel(members[.kernel], "kernel"),
      justifications: justifications(members[.justifications], "justifications"),
      outline: DocumentOutline(root)
    )
    return name == nil ? nil : document
  }
}
