// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What is wrong with a document of the store.
package enum DocumentFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not JSON.
  case syntax(String)
  /// A member is missing or of another kind.
  case member(String, expected: String)
  /// It is larger than any that the store writes.
  case tooLarge
  /// It is not there, although it should be.
  case missing

  /// A sentence.
  package var description: String {
    switch self {
    case .syntax(let text): "it is not JSON (\(text))"
    case .member(let name, let expected): "\"\(name)\" should be \(expected)"
    case .tooLarge: "it is larger than any that Darkroom writes"
    case .missing: "it is not there"
    }
  }
}

/// The members of an object that is being read, with the path that led to it.
struct DocumentReader {
  /// The object.
  let value: JSONValue
  /// Where it stands, for messages.
  let path: String

  /// Reads the object `value`.
  init(_ value: JSONValue, path: String = "") {
    self.value = value
    self.path = path
  }

  /// The fault of a member.
  func fault(_ name: String, _ expected: String) -> DocumentFault { .member(path + name, expected: expected) }

  /// A member that must be a string.
  func string(_ name: String) throws(DocumentFault) -> String {
    guard let text = value[name]?.string else { throw fault(name, "a string") }
    return text
  }

  /// A member that must be an integer.
  func integer(_ name: String) throws(DocumentFault) -> Int64 {
    guard let number = value[name]?.integer else { throw fault(name, "an integer") }
    return number
  }

  /// A member that must be a number.
  func number(_ name: String) throws(DocumentFault) -> Double {
    guard let number = value[name]?.double else { throw fault(name, "a number") }
    return number
  }

  /// A member that must be an integer of 32 bits.
  func integer32(_ name: String) throws(DocumentFault) -> Int32 {
    guard let number = Int32(exactly: try integer(name)) else { throw fault(name, "a small integer") }
    return number
  }

  /// A member that must be a truth value.
  func bool(_ name: String) throws(DocumentFault) -> Bool {
    guard let truth = value[name]?.bool else { throw fault(name, "true or false") }
    return truth
  }

  /// A member that must be one of an enumeration's words.
  func word<Word: RawRepresentable>(_ name: String) throws(DocumentFault) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try string(name)) else { throw fault(name, "a word that Darkroom knows") }
    return word
  }

  /// A member that must be an object.
  func object(_ name: String) throws(DocumentFault) -> DocumentReader {
    guard let member = value[name], member.members != nil else { throw fault(name, "an object") }
    return DocumentReader(member, path: "\(path)\(name).")
  }

  /// What `read` makes of a member, or nil if there is none.
  func optional<Result>(
    _ name: String,
    _ read: (String) throws(DocumentFault) -> Result
  ) throws(DocumentFault) -> Result? {
    guard let member = value[name], !member.isNull else { return nil }
    return try read(name)
  }

  /// The elements of a member that must be an array of objects; none if it is absent.
  func objects<Element>(
    _ name: String,
    _ read: (DocumentReader) throws(DocumentFault) -> Element
  ) throws(DocumentFault) -> [Element] {
    guard let member = value[name] else { return [] }
    guard let elements = member.elements else { throw fault(name, "an array") }
    var result: [Element] = []
    for (index, element) in elements.enumerated() {
      result.append(try read(DocumentReader(element, path: "\(path)\(name)[\(index)].")))
    }
    return result
  }
}
