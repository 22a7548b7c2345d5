// SPDX-License-Identifier: Apache-2.0

/// The data of the tables, `syscalls.tsv`: a comment, a line with the names of the columns, and a line for each call.
enum CallRows {
  /// What stands where an architecture does not have a call.
  static let none: ArraySlice<UInt8> = [UInt8(ascii: "-")]

  /// Every line's fields, those of the columns' names in front; no field is empty.
  private static let lines = TextLines.of(TableFiles.numbers, comment: UInt8(ascii: "#"))
    .map { TextLines.pieces(of: $0, between: UInt8(ascii: "\t")) }

  /// The names of all calls, each with what one column says of it.
  static func column(_ title: String) -> [(name: ArraySlice<UInt8>, field: ArraySlice<UInt8>)] {
    let title = Array(title.utf8)[...]
    guard let column = lines.first?.firstIndex(of: title) else {
      preconditionFailure("syscalls.tsv has a column \(title)")
    }
    return lines.dropFirst().map { ($0[0], $0[column]) }
  }

  /// The number that a field says; nil if it says none.
  static func decimal(_ field: ArraySlice<UInt8>) -> UInt32? {
    var number: UInt32 = 0
    for byte in field {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
    }
    return field.isEmpty ? nil : number
  }
}
