// SPDX-License-Identifier: Apache-2.0

/// The lines of `syscalls.tsv`: a comment, a line with the names of the columns, and a line for each call.
enum CallRows {
  /// The field of a call that an architecture does not have.
  static let none: ArraySlice<UInt8> = [UInt8(ascii: "-")]

  /// The fields of each line, starting with the names of the columns; no field is empty.
  private static let lines = TextLines.of(TableFiles.numbers, comment: UInt8(ascii: "#"))
    .map { TextLines.pieces(of: $0, between: UInt8(ascii: "\t")) }

  /// Returns the names of all calls, each with its field in a column.
  static func column(_ title: String) -> [(name: ArraySlice<UInt8>, field: ArraySlice<UInt8>)] {
    let title = Array(title.utf8)[...]
    guard let column = lines.first?.firstIndex(of: title) else {
      preconditionFailure("syscalls.tsv has a column \(title)")
    }
    return lines.dropFirst().map { ($0[0], $0[column]) }
  }

  /// Returns the number in a field, or `nil` if the field is not a decimal number.
  static func decimal(_ field: ArraySlice<UInt8>) -> UInt32? {
    var number: UInt32 = 0
    for byte in field {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
    }
    return field.isEmpty ? nil : number
  }
}
