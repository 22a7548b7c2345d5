// SPDX-License-Identifier: Apache-2.0

/// A parser of the textual form that ``CallText`` describes.
struct CallTextParser {
  private let characters: [Character]
  private var architecture: CallArchitecture
  private var at = 0

  /// The maximum number of arguments of a call.
  private static let mostArguments = 6

  /// Creates a parser at the start of a text.
  init(_ text: String, _ architecture: CallArchitecture) {
    characters = Array(text)
    self.architecture = architecture
  }

  /// The column of the next character, from 1.
  private var column: Int { at + 1 }
  private var next: Character? { at < characters.count ? characters[at] : nil }

  /// Parses the whole text.
  mutating func call() throws(CallTextError) -> ParsedCall {
    var word = word()
    if next?.isWhitespace == true, let named = CallArchitecture(rawValue: word) {
      architecture = named
      word = self.word()
    }
    guard !word.isEmpty else { throw .expected(.call, column: column, found: next.map(String.init)) }
    let (name, number) = try identify(word)
    var call = ParsedCall(architecture: architecture, name: name, number: number, arguments: [])
    skipSpace()
    if next == "(" {
      at += 1
      call.arguments = try arguments(of: name ?? word)
    }
    skipSpace()
    guard let rest = next else { return call }
    throw .expected(.end, column: column, found: String(rest))
  }

  /// Returns the call with the given name or number.
  private func identify(_ word: String) throws(CallTextError) -> (String?, UInt32) {
    let table = CallTable.of(architecture)
    if let number = table.number(of: word) { return (word, number) }
    guard let first = word.first, first.isNumber || first == "-" else {
      throw .unknownCall(
        word,
        architecture,
        elsewhere: CallArchitecture.allCases.filter { CallTable.of($0).number(of: word) != nil },
        suggestion: NearestName.of(word, among: table.names)
      )
    }
    guard let value = NumberText.value(word) else { throw .notANumber(word, column: column - word.count) }
    // A tracer sets the number to -1 to skip a call.
    guard var number = UInt32(exactly: value) ?? Int64(bitPattern: value).asNegativeWord else {
      throw .numberTooLarge(word)
    }
    if architecture == .x32 { number |= CallArchitecture.x32Bit }
    return (table.name(of: number), number)
  }

  /// Parses the arguments up to the closing parenthesis.
  private mutating func arguments(of call: String) throws(CallTextError) -> [UInt64?] {
    var values: [UInt64?] = []
    skipSpace()
    if next == ")" {
      at += 1
      return []
    }
    while true {
      guard values.count < Self.mostArguments else { throw .tooManyArguments(call, column: column) }
      values.append(try argument(values, of: call))
      skipSpace()
      switch next {
      case ",": at += 1
      case ")":
        at += 1
        return values
      default: throw .expected(.separator, column: column, found: next.map(String.init))
      }
    }
  }

  /// Parses an argument: `_`, or numbers and constants joined by `|`.
  private mutating func argument(_ before: [UInt64?], of call: String) throws(CallTextError) -> UInt64? {
    let signature = CallSignature.of(call, on: architecture, arguments: before)
    let parameter = signature.flatMap { $0.parameters.dropFirst(before.count).first }
    var value: UInt64 = 0
    while true {
      let word = word()
      let start = column - word.count
      guard !word.isEmpty else { throw .expected(.argument, column: start, found: next.map(String.init)) }
      if word == CallText.anything { return nil }
      value |= try term(word, parameter, of: call, column: start)
      skipSpace()
      guard next == "|" else { return value }
      at += 1
    }
  }

  /// Returns the value of a number or a constant.
  private func term(
    _ word: String,
    _ parameter: CallParameter?,
    of call: String,
    column: Int
  ) throws(CallTextError) -> UInt64 {
    if let first = word.first, first.isNumber || first == "-" {
      guard let value = NumberText.value(word) else { throw .notANumber(word, column: column) }
      return value
    }
    if let value = ConstantLookup.value(of: word, for: parameter, on: architecture) { return value }
    throw .unknownConstant(
      word,
      column: column,
      call: call,
      parameter: parameter?.name,
      suggestion: NearestName.of(word, among: ConstantLookup.names(for: parameter, on: architecture))
    )
  }

  /// Reads letters, digits, underscores and hyphens.
  private mutating func word() -> String {
    skipSpace()
    let start = at
    while let character = next,
      character.isLetter || character.isNumber || character == "_" || character == "-"
    {
      at += 1
    }
    return String(characters[start..<at])
  }

  private mutating func skipSpace() {
    while next?.isWhitespace == true { at += 1 }
  }
}

extension Int64 {
  /// The 32-bit two's complement of a negative number, or `nil` if the number is positive or needs more bits.
  fileprivate var asNegativeWord: UInt32? {
    self < 0 ? Int32(exactly: self).map { UInt32(bitPattern: $0) } : nil
  }
}
