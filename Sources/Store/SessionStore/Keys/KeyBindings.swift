// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// The storage of key bindings: one file of the state root that is replaced atomically.
package struct KeyBindings: Sendable {
  private static let version: Int64 = 1
  /// The maximum length of the name of a key or control in bytes.
  private static let longestName = 512

  private let root: StateRoot

  /// Creates the storage of a state root.
  package init(_ root: StateRoot) { self.root = root }

  /// Creates the directory of the file, so that it can be watched.
  package func prepare() throws(StoreError) { try StateRoot.prepareDirectory(root.keysDirectory) }

  /// Returns the bindings; empty if there is no file.
  package func read() throws(StoreError) -> [KeyBinding] {
    guard let value = try Document.read(root.keyBindingsFile) else { return [] }
    do { return try Self.bindings(DocumentReader(value)) } catch {
      throw .damaged(path: root.keyBindingsFile, error)
    }
  }

  /// Binds a key and replaces its previous binding.
  ///
  /// A key cannot have bindings for both one and two presses, because they cannot be distinguished before the
  /// second press.
  package func bind(_ binding: KeyBinding) throws(StoreError) {
    try change { bindings throws(StoreError) in
      if let other = bindings.first(where: { $0.key == binding.key && $0.press != binding.press }) {
        throw .keyAlreadyBound(other)
      }
      bindings.removeAll { $0.key == binding.key }
      bindings.append(binding)
    }
  }

  /// Removes the binding of a key, which a text names with or without the number of presses.
  ///
  /// - Returns: The removed binding.
  @discardableResult
  package func unbind(_ text: String) throws(StoreError) -> KeyBinding {
    // The name is not validated, so that a binding can be removed even if libevdev does not know the key.
    let key = String(text.prefix { $0 != ":" })
    var freed: KeyBinding?
    try change { bindings throws(StoreError) in
      freed = bindings.first { $0.key == key }
      guard freed != nil else { throw .keyNotBound(key, bound: bindings.map(\.key)) }
      bindings.removeAll { $0.key == key }
    }
    guard let freed else { throw .keyNotBound(key, bound: []) }
    return freed
  }

  private func change(_ body: (inout [KeyBinding]) throws(StoreError) -> Void) throws(StoreError) {
    try prepare()
    let lock = try lockDirectory(root.keysDirectory)
    try system { () throws(SystemCallError) in try UnfinishedFile.removeAbandoned(in: root.keysDirectory) }
    var bindings = try read()
    try body(&bindings)
    try Document.write(Self.json(bindings.sorted { $0.key < $1.key }), to: root.keyBindingsFile)
    _ = lock
  }

  private static func json(_ bindings: [KeyBinding]) -> JSONValue {
    ["version": .integer(version), "bindings": .array(bindings.map(\.json))]
  }

  /// Reads the bindings of a document strictly: a misread document could activate a binding that the user did
  /// not create.
  private static func bindings(_ document: DocumentReader) throws(DocumentFault) -> [KeyBinding] {
    guard try document.integer("version") == version else { throw document.fault("version", "1") }
    let bindings = try document.objects("bindings") { reader throws(DocumentFault) in
      KeyBinding(
        key: try name("key", reader),
        press: try reader.enumValue("press"),
        control: try name("control", reader)
      )
    }
    guard Set(bindings.map(\.key)).count == bindings.count else {
      throw document.fault("bindings", "a list without repeated keys")
    }
    return bindings
  }

  /// Returns a member that must be a name of printable ASCII characters without spaces.
  private static func name(_ member: String, _ reader: DocumentReader) throws(DocumentFault) -> String {
    let name = try reader.string(member)
    guard !name.isEmpty, name.utf8.count <= longestName, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw reader.fault(member, "1 to \(longestName) printable ASCII characters without spaces") }
    return name
  }
}

extension KeyBinding {
  /// The binding as stored and as reported to programs.
  package var json: JSONValue {
    ["key": .string(key), "press": .string(press.rawValue), "control": .string(control)]
  }
}
