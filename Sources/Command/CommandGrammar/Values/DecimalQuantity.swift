// SPDX-License-Identifier: Apache-2.0

/// A decimal number with a unit, parsed without rounding.
struct DecimalQuantity {
  /// The digits, without the decimal point.
  var digits: UInt64
  /// The number of digits after the decimal point.
  var fractionDigits: Int
  /// The unit after the number.
  var unit: String

  /// Parses digits with an optional decimal point, optional spaces and a unit.
  init(parsing text: String, example: String) throws(ValueFault) {
    var digits: UInt64 = 0
    var counts = (whole: 0, fraction: 0)
    var hasPoint = false
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.first {
      if scalar == ".", !hasPoint {
        hasPoint = true
      } else if let digit = Self.digit(scalar) {
        digits = try Self.append(digit, to: digits)
        if hasPoint { counts.fraction += 1 } else { counts.whole += 1 }
      } else {
        break
      }
      scalars.removeFirst()
    }
    guard counts.whole > 0, !hasPoint || counts.fraction > 0 else { throw .missingNumber(example: example) }
    self.digits = digits
    self.fractionDigits = counts.fraction
    self.unit = String(String.UnicodeScalarView(scalars.drop { $0 == " " }))
  }

  /// Returns the quantity as a whole number of parts, of which one unit has `scale`.
  func parts(scale: UInt64, smallest: String) throws(ValueFault) -> UInt64 {
    var (digits, scale) = (digits, scale)
    for _ in 0..<fractionDigits {
      // Factors of ten are divided out of either operand first, so that no intermediate result overflows or
      // is rounded.
      if digits % 10 == 0 {
        digits /= 10
      } else if scale % 10 == 0 {
        scale /= 10
      } else if digits % 5 == 0, scale % 2 == 0 {
        digits /= 5
        scale /= 2
      } else if digits % 2 == 0, scale % 5 == 0 {
        digits /= 2
        scale /= 5
      } else {
        throw .tooPrecise(smallest: smallest)
      }
    }
    let (product, overflow) = digits.multipliedReportingOverflow(by: scale)
    guard !overflow, product <= UInt64(Int64.max) else { throw .tooLarge }
    return product
  }

  /// Returns the value of an ASCII digit, or `nil` for any other scalar.
  private static func digit(_ scalar: Unicode.Scalar) -> UInt64? {
    ("0"..."9").contains(scalar) ? UInt64(scalar.value - 48) : nil
  }

  /// Returns a number with one more digit.
  private static func append(_ digit: UInt64, to digits: UInt64) throws(ValueFault) -> UInt64 {
    let (tenfold, overflow) = digits.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(digit)
    guard !overflow, !carry else { throw .tooLarge }
    return sum
  }
}
