// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// A value that can change gradually.
@MainActor
protocol Interpolatable: Equatable {
  /// Returns the value at a share of the way to another one. A spring continues the way beyond 1.
  func interpolated(to other: Self, _ share: Double) -> Self
}

/// The time of a layout, and whether values change in it.
@MainActor
final class AnimationClock {
  /// The time of the current layout in seconds.
  private(set) var now = 0.0
  /// Whether the current layout has read a value that is changing.
  var isRunning = false

  private let clock: SessionClock

  init(_ clock: SessionClock) { self.clock = clock }

  /// The current time in seconds.
  var time: Double { Double(clock.now) / 1_000_000_000 }

  /// Starts a layout.
  func startLayout() { (now, isRunning) = (time, false) }
}

/// A value of a view that reaches its target with the course of an animation.
@MainActor
final class AnimatedValue<Value: Interpolatable> {
  private let clock: AnimationClock
  private var target: Value
  private var course: (origin: Value, animation: Animation, start: Double)?

  /// Creates a value at its target.
  init(_ value: Value, _ clock: AnimationClock) { (target, self.clock) = (value, clock) }

  /// Changes the target, with the course of the current changes unless another one is given.
  func change(to value: Value, _ animation: Animation? = .current) {
    guard value != target else { return }
    let time = clock.time
    course = animation.map { (self.value(at: time), $0, time) }
    target = value
  }

  /// The value in the current layout.
  var current: Value {
    if course != nil { clock.isRunning = isRunning(at: clock.now) || clock.isRunning }
    return value(at: clock.now)
  }

  /// Whether the value has not reached its target in the current layout.
  var isMoving: Bool { isRunning(at: clock.now) }

  private func isRunning(at time: Double) -> Bool {
    guard let course else { return false }
    return course.animation.share(after: time - course.start) != nil
  }

  private func value(at time: Double) -> Value {
    guard let course, let share = course.animation.share(after: time - course.start) else { return target }
    return course.origin.interpolated(to: target, share)
  }
}

extension ViewNode {
  /// Changes the animated value of the view in the node's storage; the first value is shown at once.
  ///
  /// Without a viewfinder, there is no value.
  func animate<Value: Interpolatable>(to value: Value) {
    Compositor.attach(to: graph)
    guard let clock = (graph.compositor as? Compositor)?.clock else { return }
    if let known = storage as? AnimatedValue<Value> { return known.change(to: value) }
    storage = AnimatedValue(value, clock)
  }

  /// Returns the animated value of the view, or `target` if there is none.
  func animated<Value: Interpolatable>(_ target: Value) -> Value {
    (storage as? AnimatedValue<Value>)?.current ?? target
  }
}
