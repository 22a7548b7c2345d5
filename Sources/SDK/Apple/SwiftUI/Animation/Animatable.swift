// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A value with numbers that can change gradually; SwiftUI's name.
@MainActor @preconcurrency
public protocol Animatable {
  /// The type of the numbers.
  associatedtype AnimatableData: VectorArithmetic = EmptyAnimatableData

  /// The numbers. An animation sets values between those of two states.
  var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
  /// Nothing that can change gradually.
  public var animatableData: EmptyAnimatableData {
    get { EmptyAnimatableData() }
    set {}
  }
}

/// A value that can be added and scaled; SwiftUI's name.
public protocol VectorArithmetic: AdditiveArithmetic {
  /// Multiplies each number by a factor.
  mutating func scale(by rhs: Double)

  /// The sum of the squares of all numbers.
  var magnitudeSquared: Double { get }
}

extension VectorArithmetic {
  /// Returns the value at a share of the way to another one.
  func interpolated(to other: Self, _ share: Double) -> Self {
    var way = other - self
    way.scale(by: share)
    return self + way
  }
}

extension Double: VectorArithmetic {
  /// Multiplies the number.
  public mutating func scale(by rhs: Double) { self *= rhs }

  /// The square of the number.
  public var magnitudeSquared: Double { self * self }
}

extension Float: VectorArithmetic {
  /// Multiplies the number.
  public mutating func scale(by rhs: Double) { self *= Float(rhs) }

  /// The square of the number.
  public var magnitudeSquared: Double { Double(self * self) }
}

extension CGFloat: VectorArithmetic {
  /// Multiplies the number.
  public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }

  /// The square of the number.
  public var magnitudeSquared: Double { Double(self * self) }
}

/// The numbers of a value that has none; SwiftUI's name.
public struct EmptyAnimatableData: VectorArithmetic, Sendable {
  /// Creates the only value.
  public init() {}

  /// The only value.
  public static var zero: EmptyAnimatableData { EmptyAnimatableData() }

  /// Returns the only value.
  public static func + (lhs: EmptyAnimatableData, rhs: EmptyAnimatableData) -> EmptyAnimatableData { lhs }

  /// Returns the only value.
  public static func - (lhs: EmptyAnimatableData, rhs: EmptyAnimatableData) -> EmptyAnimatableData { lhs }

  /// Does nothing.
  public mutating func scale(by rhs: Double) {}

  /// Always 0.
  public var magnitudeSquared: Double { 0 }
}

/// Two values that change together; SwiftUI's name.
public struct AnimatablePair<First: VectorArithmetic, Second: VectorArithmetic>: VectorArithmetic {
  /// The first value.
  public var first: First
  /// The second value.
  public var second: Second

  /// Creates a pair.
  public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  /// The pair of both zeros.
  public static var zero: AnimatablePair { AnimatablePair(.zero, .zero) }

  /// Returns the sums.
  public static func + (lhs: AnimatablePair, rhs: AnimatablePair) -> AnimatablePair {
    AnimatablePair(lhs.first + rhs.first, lhs.second + rhs.second)
  }

  /// Returns the differences.
  public static func - (lhs: AnimatablePair, rhs: AnimatablePair) -> AnimatablePair {
    AnimatablePair(lhs.first - rhs.first, lhs.second - rhs.second)
  }

  /// Multiplies both values.
  public mutating func scale(by rhs: Double) {
    first.scale(by: rhs)
    second.scale(by: rhs)
  }

  /// The sum of the squares of all numbers.
  public var magnitudeSquared: Double { first.magnitudeSquared + second.magnitudeSquared }
}

extension AnimatablePair: Sendable where First: Sendable, Second: Sendable {}

extension CGPoint: Animatable {
  /// The coordinates.
  public var animatableData: AnimatablePair<CGFloat, CGFloat> {
    get { AnimatablePair(x, y) }
    set { (x, y) = (newValue.first, newValue.second) }
  }
}

extension CGSize: Animatable {
  /// The width and the height.
  public var animatableData: AnimatablePair<CGFloat, CGFloat> {
    get { AnimatablePair(width, height) }
    set { (width, height) = (newValue.first, newValue.second) }
  }
}

extension CGRect: Animatable {
  /// The numbers of the origin and of the size.
  public var animatableData: AnimatablePair<CGPoint.AnimatableData, CGSize.AnimatableData> {
    get { AnimatablePair(origin.animatableData, size.animatableData) }
    set { (origin.animatableData, size.animatableData) = (newValue.first, newValue.second) }
  }
}

extension Angle: Animatable {
  /// The angle in radians.
  public var animatableData: Double {
    get { radians }
    set { self = .radians(newValue) }
  }
}
