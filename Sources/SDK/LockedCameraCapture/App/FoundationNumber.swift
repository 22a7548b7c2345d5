// SPDX-License-Identifier: Apache-2.0

/// The numbers of all of Foundation, which this library does not import.
///
/// An `NSNumber` casts to each type of Swift that represents its value: the number 1 is also `true`, and 2.0
/// is also an integer. Its class and its description contain its type.
enum FoundationNumber {
  /// The class of the two Boolean objects.
  private static let booleanClass = "__NSCFBoolean"

  /// Returns the Swift value of an `NSNumber`, or `value` itself if it is not one.
  static func value(_ value: Any) -> Any {
    guard type(of: value) is AnyClass else { return value }
    if "\(type(of: value))" == booleanClass { return value as? Bool ?? value }
    if let integer = value as? Int64, isInteger("\(value)") { return integer }
    return value as? Double ?? value as? UInt64 ?? value
  }

  /// Returns whether the description of a number contains only digits and a sign.
  private static func isInteger(_ description: String) -> Bool {
    description.allSatisfy { $0.isNumber || $0 == "-" }
  }
}
