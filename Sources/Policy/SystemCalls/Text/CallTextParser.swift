// SPDX-License-Identifier: Apache-2.0

/// A parser of the textual form that ``CallText`` describes.
struct CallTextParser {
  private let characters: [Character]
  private var architecture: CallArchitecture
  private var index = 0

  /// The maximum number of arguments of a call.
  private static let maximumArguments = 6

  /// Creates a parser at the start of a text.
  init(_ text: String, _ architecture: CallArchitecture) {
    characters = Array(text)
    self.architecture = architecture
  }

  /// The column of the next character, from 1.
  private var column: Int { index + 1 }
  private var next: Character? { index < characters.count ? characters[index] : nil }

  /// Parses the whole text.
  mutating func call() throws(CallTextError) -> ParsedCall {
    var token = token()
    if next?.isWhitespace == true, let named = CallArchitecture(rawValue: token) {
      architecture = named
      token = self.token()
    }
    guard !token.isEmpty else { throw .expected(.call, column: column, found: next.map(String.init)) }
    let (name, number) = try identify(token)
    var call = ParsedCall(architecture: architecture, name: name, number: number, arguments: [])
    skipSpace()
    if next == "(" {
      index += 1
      call.arguments = try arguments(of: name ?? token)
    }
    skipSpace()
    guard let rest = next else { return call }
    throw .expected(.end, column: column, found: String(rest))
  }

  /// Returns the call with the given name or number.
  private func identify(_ token: String) throws(CallTextError) -> (String?, UInt32) {
    let table = CallTable.of(architecture)
    if let number = table.number(of: token) { return (token, number) }
    guard let first = token.first, first.isNumber || first == "-" else {
      throw .unknownCall(
        token,
        architecture,
        elsewhere: CallArchitecture.allCases.filter { CallTable.of($0).number(of: token) != nil },
        suggestion: NearestName.of(token, among: table.names)
      )
    }
    guard let value = NumberText.value(token) else { throw .notANumber(token, column: column - token.count) }
    // A tracer sets the number to -1 to skip a call.
    guard var number = UInt32(exactly: value) ?? Int64(bitPattern: value).asNegativeInt32 else {
      throw .numberTooLarge(token)
    }
    if architecture == .x32 { number |= CallArchitecture.x32Bit }
    return (table.name(of: number), number)
  }

  /// Parses the arguments up to the closing parenthesis.
  private mutating func arguments(of call: String) throws(CallTextError) -> [UInt64?] {
    var values: [UInt64?] = []
    skipSpace()
    if next == ")" {
      index += 1
      return []
    }
    while true {
      guard values.count < Self.maximumArguments else { throw .tooManyArguments(call, column: column) }
      values.append(try argument(values, of: call))
      skipSpace()
      switch next {
      case ",": index += 1
      case ")":
        index += 1
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
      let token = token()
      let start = column - token.count
      guard !token.isEmpty else { throw .expected(.argument, column: start, found: next.map(String.init)) }
      if token == CallText.wildcard { return nil }
      value |= try term(token, parameter, of: call, column: start)
      skipSpace()
      guard next == "|" else { return value }
      index += 1
    }
  }

  /// Returns the value of a number or a constant.
  private func term(
    _ token: String,
    _ parameter: CallParameter?,
    of call: String,
    column: Int
  ) throws(CallTextError) -> UInt64 {
    if let first = token.first, first.isNumber || first == "-" {
      guard let value = NumberText.value(token) else { throw .notANumber(token, column: column) }
      return value
    }
    if let value = ConstantLookup.value(of: token, for: parameter, on: architecture) { return value }
    throw .unknownConstant(
      token,
      column: column,
      call: call,
      parameter: parameter?.name,
      suggestion: NearestName.of(token, among: ConstantLookup.names(for: parameter, on: architecture))
    )
  }

  /// Reads letters, digits, underscores and hyphens.
  private mutating func token() -> String {
    skipSpace()
    let start = index
    while let character = next,
      character.isLetter || character.isNumber || character == "_" || character == "-"
    {
      index += 1
    }
    return String(characters[start..<index])
  }

  private mutating func skipSpace() {
    while next?.isWhitespace == true { index += 1 }
  }
}

extension Int64 {
  /// The 32-bit two's complement of a negative number, or `nil` if the number is positive or needs more bits.
  fileprivate var asNegativeInt32: UInt32? {
    self < 0 ? Int32(exactly: self).map { UInt32(bitPattern: $0) } : nil
  }
}
