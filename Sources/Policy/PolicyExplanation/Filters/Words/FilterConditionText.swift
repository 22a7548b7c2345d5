// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// The conditions on a call's arguments as text.
///
/// The text `domain is AF_VSOCK` means a comparison of the lower 32 bits, because the kernel ignores the
/// upper half of an `int`. The text `is exactly` means a comparison of all 64 bits.
package struct FilterConditionText {
  /// The name of the call, or `nil` if it has none.
  let call: String?
  /// The architecture of the call.
  let architecture: CallArchitecture

  /// Creates a writer for the conditions of one call.
  package init(call: String?, on architecture: CallArchitecture) {
    self.call = call
    self.architecture = architecture
  }

  /// The maximum number of values that are listed.
  private static let maximumListedValues = 40

  /// Returns the conjunction of conditions as text.
  package func text(_ conditions: [ArgumentConstraint]) -> String {
    guard !conditions.isEmpty else { return "any arguments" }
    let known = Self.known(conditions)
    return conditions.map { text($0, known) }.joined(separator: " and ")
  }

  /// Returns the arguments with only one possible value, which can determine the meaning of other arguments.
  private static func known(_ conditions: [ArgumentConstraint]) -> [UInt64?] {
    var known = [UInt64?](repeating: nil, count: SeccompData.argumentCount)
    for condition in conditions {
      guard case .argument(let index) = condition.field, condition.values.sense == .inside else { continue }
      switch condition.values.form {
      case .ranges(let ranges) where ranges.count == 1 && ranges[0].lowerBound == ranges[0].upperBound:
        known[index] = ranges[0].lowerBound
      case .lowerHalf(let ranges) where ranges.count == 1 && ranges[0].lowerBound == ranges[0].upperBound:
        known[index] = UInt64(ranges[0].lowerBound)
      default: break
      }
    }
    return known
  }

  /// Returns a condition as text.
  private func text(_ condition: ArgumentConstraint, _ known: [UInt64?]) -> String {
    let isInside = condition.values.sense == .inside
    let words = terms(condition.field, known)
    switch condition.values.form {
    case .ranges(let ranges):
      return words.subject + " is "
        + Self.choice(ranges.flatMap { Self.range($0, words) }, isInside, "exactly ")
    case .lowerHalf(let ranges):
      let wide = ranges.map { UInt64($0.lowerBound)...UInt64($0.upperBound) }
      return words.subject + " is " + Self.choice(wide.flatMap { Self.range($0, words) }, isInside, "")
    case .masked(let comparisons) where !isInside && comparisons.count == 1 && comparisons[0].value == 0:
      let mask = comparisons[0].mask
      return "\(words.subject) has \(mask.nonzeroBitCount > 1 ? "any of " : "")\(Self.mask(mask, words))"
    case .masked(let comparisons):
      let parts = Self.list(comparisons.map { Self.masked($0, words) })
      return isInside ? (comparisons.count > 1 ? "(\(parts))" : parts) : "not (\(parts))"
    }
  }

  /// The names for a field of a call.
  private struct Terms {
    /// The name of the field.
    var subject: String
    /// Returns the name of a value if only the bits of a mask are known.
    package var value: (_ value: UInt64, _ mask: UInt64) -> String
    /// Whether the values are unrelated choices, so that ranges are meaningless.
    var isChoice = false
  }

  private func terms(_ field: ArgumentConstraint.Field, _ known: [UInt64?]) -> Terms {
    guard case .argument(let index) = field else {
      return Terms(subject: "the instruction pointer") { value, _ in NumberText.hexadecimal(value) }
    }
    let signature = call.flatMap { CallSignature.of($0, on: architecture, arguments: known) }
    guard let call, let parameter = signature?.parameters.dropFirst(index).first else {
      return Terms(subject: "argument \(index)") { value, _ in NumberText.plain(value) }
    }
    var words = Terms(subject: parameter.name) { [architecture] value, mask in
      if let family = parameter.family {
        return family.text(for: value, on: architecture, within: mask) ?? NumberText.plain(value)
      }
      return CallText.renderArgument(call, index, value, among: known, on: architecture)
    }
    if case .choice = parameter.kind { words.isChoice = true }
    return words
  }

  /// Returns the values of a range one by one if they are few and have names, or otherwise its bounds.
  private static func range(_ range: ClosedRange<UInt64>, _ words: Terms) -> [String] {
    let length = range.upperBound - range.lowerBound
    if length == 0 || words.isChoice && length < maximumListedValues {
      return range.map { words.value($0, .max) }
    }
    if range.upperBound == .max { return ["\(NumberText.plain(range.lowerBound)) or more"] }
    return ["\(NumberText.plain(range.lowerBound)) to \(NumberText.plain(range.upperBound))"]
  }

  /// Returns a comparison of masked bits as text.
  private static func masked(_ comparison: ValueSet.MaskedValue, _ words: Terms) -> String {
    let subject = words.subject
    if comparison.mask == .max { return "\(subject) is exactly \(words.value(comparison.value, .max))" }
    if comparison.mask == UInt64(UInt32.max) { return "\(subject) is \(words.value(comparison.value, .max))" }
    let mask = mask(comparison.mask, words)
    let several = comparison.mask.nonzeroBitCount > 1
    if comparison.value == 0 {
      return several ? "\(subject) has none of \(mask)" : "\(subject) has no \(mask)"
    }
    if comparison.value == comparison.mask {
      return several ? "\(subject) has all of \(mask)" : "\(subject) has \(mask)"
    }
    let value = words.value(comparison.value, comparison.mask)
    return "\(subject) & \(NumberText.hexadecimal(comparison.mask)) is \(value)"
  }

  /// Returns the names of the bits of a mask, or the mask as a number if a bit has no name.
  private static func mask(_ mask: UInt64, _ words: Terms) -> String {
    let text = words.value(mask, mask)
    return text.contains("|0x") ? NumberText.hexadecimal(mask) : text
  }

  /// Returns a list of values, or its negation.
  private static func choice(_ words: [String], _ isInside: Bool, _ qualifier: String) -> String {
    if isInside { return qualifier + list(words) }
    return words.count == 1 ? "not \(qualifier)\(words[0])" : "\(qualifier)none of \(list(words, ", "))"
  }

  private static func list(_ words: [String], _ between: String = " or ") -> String {
    guard words.count > maximumListedValues else { return words.joined(separator: between) }
    return words.prefix(maximumListedValues).joined(separator: between)
      + " or one of \(words.count - maximumListedValues) other values"
  }
}
