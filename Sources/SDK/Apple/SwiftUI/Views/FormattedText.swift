// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A text for the user that may contain formatted numbers; SwiftUI's name.
///
/// There are no translation tables here: the text is the literal with its interpolations.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The parts of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Creates an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a part of the literal.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds the description of a value.
    public mutating func appendInterpolation(_ value: some Any) { text += "\(value)" }

    /// Adds a number in a format of `printf(3)`, such as `%.1f`.
    public mutating func appendInterpolation(_ value: some CVarArg, specifier: String) {
      text += String(format: specifier, value)
    }

    /// Adds a formatted value.
    public mutating func appendInterpolation<Style: FormatStyle>(
      _ value: Style.FormatInput,
      format: Style
    ) where Style.FormatOutput == String { text += format.format(value) }
  }

  /// The text.
  let text: String

  /// Creates a text.
  public init(_ value: String) { text = value }

  /// Creates a text from a literal.
  public init(stringLiteral value: String) { text = value }

  /// Creates a text from a literal with interpolations.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

extension Text {
  /// Creates a text with formatted numbers.
  public init(_ key: LocalizedStringKey) { self.init(verbatim: key.text) }

  /// Creates a text with a formatted value.
  public init<Style: FormatStyle>(_ input: Style.FormatInput, format: Style)
  where Style.FormatOutput == String {
    self.init(verbatim: format.format(input))
  }

  /// The style of a date that a text shows; SwiftUI's name.
  public struct DateStyle: Hashable, Sendable {
    /// The presentation of a date.
    private enum Presentation {
      case date
      case time
      case timer
    }

    private let presentation: Presentation

    /// The day.
    public static let date = DateStyle(presentation: .date)
    /// The time of the day in hours and minutes.
    public static let time = DateStyle(presentation: .time)
    /// The distance from the current time in minutes and seconds, which changes every second.
    public static let timer = DateStyle(presentation: .timer)

    /// Whether the text changes with the current time.
    var isRunning: Bool { presentation == .timer }

    /// Returns the text of a date at the current time.
    func text(of date: Date, at now: Date) -> String {
      switch presentation {
      case .date: date.formatted(date: .long, time: .omitted)
      case .time: date.formatted(date: .omitted, time: .shortened)
      case .timer: Self.duration(Int(abs(now.timeIntervalSince(date))))
      }
    }

    /// Returns a duration such as "2:05" or "1:02:05".
    private static func duration(_ seconds: Int) -> String {
      let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
      let rest = String(format: "%02d", seconds % 60)
      return hours > 0 ? "\(hours):\(String(format: "%02d", minutes)):\(rest)" : "\(minutes):\(rest)"
    }
  }
}
