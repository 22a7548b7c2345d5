// SPDX-License-Identifier: Apache-2.0
// The functions and constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A time as a rational number of seconds; Apple's type.
public struct CMTime: Sendable {
  /// The numerator.
  public var value: Int64
  /// The denominator: the number of units per second.
  public var timescale: Int32
  /// The properties of the time.
  public var flags: CMTimeFlags
  /// The number of the timeline; times of different epochs are not related.
  public var epoch: Int64

  /// Creates an invalid time.
  public init() { self.init(value: 0, timescale: 0, flags: []) }

  /// Creates a time of `value / timescale` seconds; a timescale below 1 makes the time invalid.
  public init(value: Int64, timescale: Int32) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [])
  }

  /// Creates a time from a number of seconds, rounded to the timescale.
  ///
  /// - Parameters:
  ///   - seconds: The number of seconds. A number that is not finite makes the time infinite or invalid.
  ///   - preferredTimescale: The number of units per second.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard seconds.isFinite, preferredTimescale > 0 else {
      self =
        seconds.isNaN || preferredTimescale <= 0
        ? .invalid : seconds > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    let value = Int64(exactly: (seconds * Double(preferredTimescale)).rounded())
    self =
      value.map { CMTime(value: $0, timescale: preferredTimescale) }
      ?? (seconds > 0 ? .positiveInfinity : .negativeInfinity)
  }

  private init(value: Int64, timescale: Int32, flags: CMTimeFlags) {
    (self.value, self.timescale, self.flags, epoch) = (value, timescale, flags, 0)
  }

  /// An invalid time.
  public static let invalid = CMTime()
  /// An unknown duration.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite])
  /// A time after all others.
  public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity])
  /// A time before all others.
  public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity])
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1)

  /// Whether the time is valid.
  public var isValid: Bool { flags.contains(.valid) }

  /// Whether the time is a number: it is valid, finite and definite, and its timescale is positive.
  public var isNumeric: Bool {
    timescale > 0
      && flags.intersection([.valid, .positiveInfinity, .negativeInfinity, .indefinite]) == .valid
  }

  /// The number of seconds; infinite or not a number if the time is.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if flags.contains(.positiveInfinity) { return .infinity }
    return flags.contains(.negativeInfinity) ? -.infinity : .nan
  }
}

/// The properties of a time.
public struct CMTimeFlags: OptionSet, Sendable {
  /// The bits of the properties.
  public let rawValue: UInt32

  /// Creates properties from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The time is valid.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// The time is positive infinity.
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  /// The time is negative infinity.
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  /// The time is indefinite.
  public static let indefinite = CMTimeFlags(rawValue: 16)
}

extension CMTime: Comparable, Hashable {
  /// Returns whether both times are the same number of seconds, or not numeric in the same way.
  public static func == (one: CMTime, other: CMTime) -> Bool {
    guard one.isNumeric, other.isNumeric else {
      return one.isNumeric == other.isNumeric && one.flags == other.flags
    }
    return one.product(with: other.timescale) == other.product(with: one.timescale)
  }

  /// Returns whether one time is before the other.
  public static func < (one: CMTime, other: CMTime) -> Bool {
    guard one.isNumeric, other.isNumeric else { return one.seconds < other.seconds }
    let (left, right) = (one.product(with: other.timescale), other.product(with: one.timescale))
    return left.high == right.high ? left.low < right.low : left.high < right.high
  }

  /// Hashes the number of seconds.
  public func hash(into hasher: inout Hasher) { hasher.combine(seconds) }

  private func product(with factor: Int32) -> (high: Int64, low: UInt64) {
    value.multipliedFullWidth(by: Int64(factor))
  }
}

extension CMTime {
  /// Returns the sum of two times, in the larger timescale.
  public static func + (one: CMTime, other: CMTime) -> CMTime {
    combine(one, other, other.seconds) { $0.addingReportingOverflow($1) }
  }

  /// Returns the difference of two times, in the larger timescale.
  public static func - (one: CMTime, other: CMTime) -> CMTime {
    combine(one, other, -other.seconds) { $0.subtractingReportingOverflow($1) }
  }

  /// Returns the time in another timescale, rounded to the nearest unit.
  ///
  /// - Parameter newTimescale: The number of units per second.
  /// - Returns: The time, or an invalid time if it is not numeric or too large.
  public func convertScale(_ newTimescale: Int32) -> CMTime {
    guard isNumeric, newTimescale > 0 else { return .invalid }
    if newTimescale == timescale { return self }
    let (whole, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
    let (units, overflow) = whole.multipliedReportingOverflow(by: Int64(newTimescale))
    let fraction = (Double(rest) * Double(newTimescale) / Double(timescale)).rounded()
    let (sum, isTooLarge) = units.addingReportingOverflow(Int64(fraction))
    return overflow || isTooLarge ? .invalid : CMTime(value: sum, timescale: newTimescale)
  }

  private static func combine(
    _ one: CMTime,
    _ other: CMTime,
    _ offset: Double,
    _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> CMTime {
    guard one.isValid, other.isValid else { return .invalid }
    let scale = max(one.timescale, other.timescale)
    let (left, right) = (one.convertScale(scale), other.convertScale(scale))
    guard left.isNumeric, right.isNumeric else {
      return CMTime(seconds: one.seconds + offset, preferredTimescale: max(1, scale))
    }
    let (value, overflow) = operation(left.value, right.value)
    return overflow ? .invalid : CMTime(value: value, timescale: scale)
  }
}

/// Returns a time of `value / timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Returns a time from a number of seconds, rounded to the timescale.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the number of seconds of a time.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Returns the sum of two times.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Returns the difference of two times.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Returns -1 if the first time is before the second, 1 if it is after the second, otherwise 0.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  time1 < time2 ? -1 : time2 < time1 ? 1 : 0
}
