// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The values that an observer of a property receives; Apple's name. Foundation for Linux lacks observation by key.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A call with the current value at the start of the observation.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// A change of an observed property; Apple's name.
public struct NSKeyValueObservedChange<Value> {
  /// The new value, or `nil` without the option `new`.
  public let newValue: Value?
  /// The value before, or `nil` without the option `old` and in the call at the start.
  public let oldValue: Value?
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

/// An observation of a property, which ends when the object is released; Apple's name. It may be used on any thread.
public final class NSKeyValueObservation: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

  deinit { invalidate() }

  /// Ends the observation; further calls have no effect.
  public func invalidate() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

/// A number with observers. It may be used on any thread.
final class ObservedValue<Value: Equatable & Sendable>: Sendable {
  /// A closure that is called with the value before and the new value.
  typealias Observer = @Sendable (Value?, Value) -> Void

  private struct State: Sendable {
    var value: Value
    var observers: [Int: Observer] = [:]
    var nextNumber = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The value; a change calls the observers on the current thread.
  var value: Value {
    get { state.withLock(\.value) }
    set {
      let (old, observers) = state.withLock { state in
        defer { state.value = newValue }
        return (state.value, state.observers)
      }
      guard old != newValue else { return }
      for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer(old, newValue) }
    }
  }

  /// Calls an observer after each change, and with the option `initial` also now.
  func observe(
    _ options: NSKeyValueObservingOptions,
    _ handler: @escaping @Sendable (NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observer: Observer = { old, new in
      handler(
        NSKeyValueObservedChange(
          newValue: options.contains(.new) ? new : nil,
          oldValue: options.contains(.old) ? old : nil
        )
      )
    }
    let (number, value) = state.withLock { state in
      state.nextNumber += 1
      state.observers[state.nextNumber] = observer
      return (state.nextNumber, state.value)
    }
    if options.contains(.initial) { observer(nil, value) }
    return NSKeyValueObservation { [weak self] in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
  }
}
