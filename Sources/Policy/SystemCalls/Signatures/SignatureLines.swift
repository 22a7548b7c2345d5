// SPDX-License-Identifier: Apache-2.0

/// The data of the signatures, `signatures.txt`.
enum SignatureLines {
  /// The lines of each call. Only the names are read before a call is asked for.
  static let byName: [String: [SignatureLine]] = {
    var lines: [String: [SignatureLine]] = [:]
    for bytes in TextLines.of(TableFiles.signatures, comment: UInt8(ascii: ";")) {
      let line = SignatureLine(bytes)
      lines[line.name, default: []].append(line)
    }
    return lines
  }()
}

/// One line: all parameters of a call, those on one architecture, or those that are special under a condition.
struct SignatureLine: Sendable {
  /// The call.
  let name: String
  /// The architecture that it holds for; nil for all others.
  let architecture: CallArchitecture?
  /// The argument that has to have a value, and the value's name.
  private let condition: (index: Int, constant: String)?
  /// The rest of the line.
  private let text: ArraySlice<UInt8>

  /// Whether it holds wherever no other does.
  var isGeneral: Bool { architecture == nil && condition == nil }

  /// The parameters on the line.
  var parameters: [CallParameter] { TextLines.words(text).map(CallParameter.init) }

  /// Reads the first word of a line: `NAME`, `NAME@ARCHITECTURE` or `NAME[INDEX=CONSTANT]`.
  init(_ line: ArraySlice<UInt8>) {
    let (word, rest) = TextLines.halves(line, at: UInt8(ascii: " ")) ?? (line, [])
    text = rest
    if let (name, place) = TextLines.halves(word, at: UInt8(ascii: "@")) {
      self.name = TextLines.text(name)
      architecture = CallArchitecture(rawValue: TextLines.text(place))
      condition = nil
    } else if let (name, place) = TextLines.halves(word, at: UInt8(ascii: "[")),
      let (index, constant) = TextLines.halves(place.dropLast(), at: UInt8(ascii: "="))
    {
      self.name = TextLines.text(name)
      architecture = nil
      condition = CallRows.decimal(index).map { (Int($0), TextLines.text(constant)) }
    } else {
      name = TextLines.text(word)
      architecture = nil
      condition = nil
    }
  }

  /// Whether the line says something more exact about a call with these arguments.
  func holds(for arguments: [UInt64?], of signature: CallSignature, on place: CallArchitecture) -> Bool {
    guard let condition, condition.index < arguments.count, condition.index < signature.parameters.count,
      let given = arguments[condition.index]
    else { return false }
    return signature.parameters[condition.index].family?.value(of: condition.constant, on: place) == given
  }
}
