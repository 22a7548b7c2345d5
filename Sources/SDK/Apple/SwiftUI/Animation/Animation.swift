// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The course of a change over time; SwiftUI's name and members.
public struct Animation: Hashable, Sendable {
  private let curve: AnimationCurve
  /// The factor of the time.
  private var rate = 1.0
  private var wait = 0.0
  /// The number of repetitions, or `nil` to repeat the course without an end.
  private var repetitions: Int? = 1
  private var autoreverses = false

  /// The longest duration in seconds: a day.
  private static let longest = 86_400.0

  private init(_ curve: AnimationCurve) { self.curve = curve }

  /// The usual course: a spring that does not bounce.
  public static let `default` = spring()
  /// A course with a constant speed.
  public static let linear = linear(duration: 0.35)
  /// A course that starts slowly.
  public static let easeIn = easeIn(duration: 0.35)
  /// A course that ends slowly.
  public static let easeOut = easeOut(duration: 0.35)
  /// A course that starts and ends slowly.
  public static let easeInOut = easeInOut(duration: 0.35)
  /// A spring that does not bounce.
  public static let spring = spring()
  /// A spring that does not bounce.
  public static let smooth = spring(duration: 0.5, bounce: 0)
  /// A spring that bounces a little.
  public static let snappy = spring(duration: 0.5, bounce: 0.15)
  /// A spring that bounces.
  public static let bouncy = spring(duration: 0.5, bounce: 0.3)
  /// A fast spring for changes that follow a contact.
  public static let interactiveSpring = spring(response: 0.15, dampingFraction: 0.86)

  /// Returns a course with a constant speed and a duration in seconds.
  public static func linear(duration: TimeInterval) -> Animation {
    timingCurve(0, 0, 1, 1, duration: duration)
  }

  /// Returns a course that starts slowly, with a duration in seconds.
  public static func easeIn(duration: TimeInterval) -> Animation {
    timingCurve(0.42, 0, 1, 1, duration: duration)
  }

  /// Returns a course that ends slowly, with a duration in seconds.
  public static func easeOut(duration: TimeInterval) -> Animation {
    timingCurve(0, 0, 0.58, 1, duration: duration)
  }

  /// Returns a course that starts and ends slowly, with a duration in seconds.
  public static func easeInOut(duration: TimeInterval) -> Animation {
    timingCurve(0.42, 0, 0.58, 1, duration: duration)
  }

  /// Returns a course along a cubic Bézier curve from (0, 0) to (1, 1).
  ///
  /// - Parameters:
  ///   - startX: The share of the time of the first control point, from 0 to 1.
  ///   - startY: The share of the change of the first control point.
  ///   - endX: The share of the time of the second control point, from 0 to 1.
  ///   - endY: The share of the change of the second control point.
  ///   - duration: The duration in seconds.
  /// - Returns: The course.
  public static func timingCurve(
    _ startX: Double,
    _ startY: Double,
    _ endX: Double,
    _ endY: Double,
    duration: TimeInterval = 0.35
  ) -> Animation {
    let (start, end) = (Vector(min(1, max(0, startX)), startY), Vector(min(1, max(0, endX)), endY))
    return Animation(.bezier(start, end, duration: min(longest, max(0, duration))))
  }

  /// Returns the course of a spring.
  ///
  /// - Parameters:
  ///   - response: The period of the spring without damping, in seconds.
  ///   - dampingFraction: The damping: 0 never ends, and 1 does not bounce; at least 0.05 is used.
  ///   - blendDuration: A value that makes no difference.
  /// - Returns: The course.
  public static func spring(
    response: Double = 0.55,
    dampingFraction: Double = 1,
    blendDuration: Double = 0
  ) -> Animation {
    Animation(
      .spring(frequency: 2 * .pi / min(longest, max(0.01, response)), damping: max(0.05, dampingFraction))
    )
  }

  /// Returns the course of a spring with a perceived duration in seconds and a bounce from 0 to 1.
  public static func spring(duration: TimeInterval, bounce: Double = 0) -> Animation {
    spring(response: duration, dampingFraction: 1 - bounce)
  }

  /// Returns the course of a spring with a mass of 1.
  public static func interpolatingSpring(stiffness: Double, damping: Double) -> Animation {
    let frequency = max(0.01, stiffness).squareRoot()
    return spring(response: 2 * .pi / frequency, dampingFraction: damping / (2 * frequency))
  }

  /// Returns the course after a time in seconds, at most a day.
  public func delay(_ delay: TimeInterval) -> Animation {
    changed { $0.wait += min(Self.longest, max(0, delay)) }
  }

  /// Returns the course with another speed, from 0.01 to 1000; 2 halves the duration.
  public func speed(_ speed: Double) -> Animation { changed { $0.rate *= min(1000, max(0.01, speed)) } }

  /// Returns the course several times, in alternating directions if `autoreverses` is `true`.
  public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
    changed { ($0.repetitions, $0.autoreverses) = (max(1, count), autoreverses) }
  }

  /// Returns the course without an end, in alternating directions if `autoreverses` is `true`.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    changed { ($0.repetitions, $0.autoreverses) = (nil, autoreverses) }
  }

  private func changed(_ change: (inout Animation) -> Void) -> Animation {
    var animation = self
    change(&animation)
    return animation
  }

  /// The seconds until the change is complete, at most a day; those of one course for a course without an end.
  var seconds: Double { min(Self.longest, wait + curve.duration / rate * Double(repetitions ?? 1)) }

  /// Returns the share of the change after some seconds, or `nil` if the change is complete.
  func share(after seconds: Double) -> Double? {
    let time = max(0, seconds - wait) * rate
    guard curve.duration > 0 else { return seconds < wait ? 0 : nil }
    let count = (time / curve.duration).rounded(.down)
    if let repetitions, count >= Double(repetitions) { return nil }
    let phase = time - count * curve.duration
    let isReversed = autoreverses && count.truncatingRemainder(dividingBy: 2) == 1
    let share = curve.share(at: isReversed ? curve.duration - phase : phase)
    return share.isFinite ? share : 1
  }
}
