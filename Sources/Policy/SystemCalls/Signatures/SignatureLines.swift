// SPDX-License-Identifier: Apache-2.0

/// The lines of `signatures.txt`.
enum SignatureLines {
  /// The lines of each call. The parameters are parsed on demand.
  static let byName: [String: [SignatureLine]] = {
    var lines: [String: [SignatureLine]] = [:]
    for bytes in TextLines.of(TableFiles.signatures, comment: UInt8(ascii: ";")) {
      let line = SignatureLine(bytes)
      lines[line.name, default: []].append(line)
    }
    return lines
  }()
}

/// A line with all parameters of a call, those on one architecture, or those under a condition.
struct SignatureLine: Sendable {
  /// The call.
  let name: String
  /// The architecture of the line, or `nil` for all architectures without a line of their own.
  let architecture: CallArchitecture?
  /// The argument that must have a value, and the name of the value.
  private let condition: (index: Int, constant: String)?
  /// The rest of the line.
  private let text: ArraySlice<UInt8>

  /// Whether the line applies if no more specific one does.
  var isGeneral: Bool { architecture == nil && condition == nil }

  /// The parameters on the line.
  var parameters: [CallParameter] { TextLines.words(text).map(CallParameter.init) }

  /// Creates a line from its first field (`NAME`, `NAME@ARCHITECTURE` or `NAME[INDEX=CONSTANT]`) and the
  /// rest.
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

  /// Whether the condition of the line holds for a call with these arguments.
  func applies(for arguments: [UInt64?], of signature: CallSignature, on place: CallArchitecture) -> Bool {
    guard let condition, condition.index < arguments.count, condition.index < signature.parameters.count,
      let given = arguments[condition.index]
    else { return false }
    return signature.parameters[condition.index].family?.value(of: condition.constant, on: place) == given
  }
}
