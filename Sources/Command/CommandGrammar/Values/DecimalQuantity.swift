// SPDX-License-Identifier: Apache-2.0

/// A decimal number with a unit behind it, read without rounding.
struct DecimalQuantity {
  /// The digits, without the point.
  var digits: UInt64
  /// How many of the digits stand behind the point.
  var fractionDigits: Int
  /// What stands behind the number.
  var unit: String

  /// Reads digits, perhaps with a point, and a unit; there may be spaces between them.
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
    guard counts.whole > 0, !hasPoint || counts.fraction > 0 else { throw .noNumber(example: example) }
    self.digits = digits
    self.fractionDigits = counts.fraction
    self.unit = String(String.UnicodeScalarView(scalars.drop { $0 == " " }))
  }

  /// The number in parts, of which `scale` make the unit.
  func parts(scale: UInt64, smallest: String) throws(ValueFault) -> UInt64 {
    var (digits, scale) = (digits, scale)
    for _ in 0..<fractionDigits {
      // Tens are taken from whichever side has them, so that nothing overflows or rounds on the way.
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
        throw .tooFine(smallest: smallest)
      }
    }
    let (product, overflow) = digits.multipliedReportingOverflow(by: scale)
    guard !overflow, product <= UInt64(Int64.max) else { throw .tooLarge }
    return product
  }

  /// The value of an ASCII digit.
  private static func digit(_ scalar: Unicode.Scalar) -> UInt64? {
    ("0"..."9").contains(scalar) ? UInt64(scalar.value - 48) : nil
  }

  /// The number with one more digit.
  private static func append(_ digit: UInt64, to digits: UInt64) throws(ValueFault) -> UInt64 {
    let (tenfold, overflow) = digits.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(digit)
    guard !overflow, !carry else { throw .tooLarge }
    return sum
  }
}
