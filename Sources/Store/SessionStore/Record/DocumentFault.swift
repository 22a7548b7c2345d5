// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A defect of a document of the store.
package enum DocumentFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The document is not JSON.
  case syntax(String)
  /// A member is missing or has the wrong type.
  case member(String, expected: String)
  /// The document is larger than any that the store writes.
  case tooLarge
  /// The document does not exist.
  case missing

  /// The defect as text.
  package var description: String {
    switch self {
    case .syntax(let text): "it is not valid JSON (\(text))"
    case .member(let name, let expected): "\"\(name)\" must be \(expected)"
    case .tooLarge: "it is larger than any file that Darkroom writes"
    case .missing: "No such file or directory (ENOENT)"
    }
  }
}

/// A reader for the members of a JSON object that tracks the path of the object.
struct DocumentReader {
  /// The object.
  let value: JSONValue
  /// The path of the object, for messages.
  let path: String

  /// Creates a reader for an object.
  init(_ value: JSONValue, path: String = "") {
    self.value = value
    self.path = path
  }

  /// Returns the error of a member.
  func fault(_ name: String, _ expected: String) -> DocumentFault { .member(path + name, expected: expected) }

  /// Returns a member that must be a string.
  func string(_ name: String) throws(DocumentFault) -> String {
    guard let text = value[name]?.string else { throw fault(name, "a string") }
    return text
  }

  /// Returns a member that must be an integer.
  func integer(_ name: String) throws(DocumentFault) -> Int64 {
    guard let number = value[name]?.integer else { throw fault(name, "an integer") }
    return number
  }

  /// Returns a member that must be a number.
  func number(_ name: String) throws(DocumentFault) -> Double {
    guard let number = value[name]?.double else { throw fault(name, "a number") }
    return number
  }

  /// Returns a member that must be a 32-bit integer.
  func integer32(_ name: String) throws(DocumentFault) -> Int32 {
    guard let number = Int32(exactly: try integer(name)) else { throw fault(name, "a 32-bit integer") }
    return number
  }

  /// Returns a member that must be a Boolean.
  func bool(_ name: String) throws(DocumentFault) -> Bool {
    guard let truth = value[name]?.bool else { throw fault(name, "true or false") }
    return truth
  }

  /// Returns a member that must be a raw value of an enumeration.
  func enumValue<Word: RawRepresentable>(_ name: String) throws(DocumentFault) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try string(name)) else { throw fault(name, "a known value") }
    return word
  }

  /// Returns a reader for a member that must be an object.
  func object(_ name: String) throws(DocumentFault) -> DocumentReader {
    guard let member = value[name], member.members != nil else { throw fault(name, "an object") }
    return DocumentReader(member, path: "\(path)\(name).")
  }

  /// Returns the result of reading a member, or `nil` if it is missing or `null`.
  func optional<Result>(
    _ name: String,
    _ read: (String) throws(DocumentFault) -> Result
  ) throws(DocumentFault) -> Result? {
    guard let member = value[name], !member.isNull else { return nil }
    return try read(name)
  }

  /// Returns the elements of a member that must be an array of strings.
  func strings(_ name: String) throws(DocumentFault) -> [String] {
    guard let elements = value[name]?.elements, elements.allSatisfy({ $0.string != nil }) else {
      throw fault(name, "an array of strings")
    }
    return elements.compactMap(\.string)
  }

  /// Returns the elements of a member that must be an array of objects; empty if it is missing.
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
