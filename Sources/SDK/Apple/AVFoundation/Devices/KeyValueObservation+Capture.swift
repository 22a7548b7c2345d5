// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture
internal import Synchronization

/// Closures that run after changes of an object. It may be used on any thread.
final class ChangeObservers: Sendable {
  private struct State: Sendable {
    var actions: [Int: @Sendable () -> Void] = [:]
    var nextNumber = 0
  }

  private let state = Mutex(State())

  /// Adds a closure, and returns its number.
  func add(_ action: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextNumber += 1
      state.actions[state.nextNumber] = action
      return state.nextNumber
    }
  }

  /// Removes the closure with a number.
  func remove(_ number: Int) { state.withLock { _ = $0.actions.removeValue(forKey: number) } }

  /// Runs the closures in the order in which they were added.
  func notify() {
    for (_, action) in state.withLock(\.actions).sorted(by: { $0.key < $1.key }) { action() }
  }
}

extension AVCaptureDevice {
  /// Calls a handler after each change of a property by this process, and after the removal of the device.
  ///
  /// The host does not report the changes that a camera makes automatically.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - options: The values that the handler receives, and whether it is also called now.
  ///   - changeHandler: The handler, which is called on the thread that changes the property, or on the main thread.
  /// - Returns: The observation, which ends when it is released.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<AVCaptureDevice, Value> & Sendable,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (AVCaptureDevice, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observed = ObservedValue(self[keyPath: keyPath])
    let observation = observed.observe(options) { [weak self] change in
      if let self { changeHandler(self, change) }
    }
    let changes = state.changes
    let number = changes.add { [weak self] in
      if let self { observed.value = self[keyPath: keyPath] }
    }
    return NSKeyValueObservation {
      changes.remove(number)
      observation.invalidate()
    }
  }
}

extension AVCaptureSession {
  /// Calls a handler after each change of ``isRunning``.
  ///
  /// - Parameters:
  ///   - keyPath: The property, `\.isRunning`.
  ///   - options: The values that the handler receives, and whether it is also called now.
  ///   - changeHandler: The handler, which is called on the main thread, or on the calling thread for the current value.
  /// - Returns: The observation, which ends when it is released.
  public func observe(
    _ keyPath: any KeyPath<AVCaptureSession, Bool> & Sendable,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (AVCaptureSession, NSKeyValueObservedChange<Bool>) -> Void
  ) -> NSKeyValueObservation {
    let observed = ObservedValue(self[keyPath: keyPath])
    let observation = observed.observe(options) { [weak self] change in
      if let self { changeHandler(self, change) }
    }
    let names = [
      Self.didStartRunningNotification, Self.didStopRunningNotification, Self.runtimeErrorNotification,
    ]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: self, queue: nil) { [weak self] _ in
        if let self { observed.value = self[keyPath: keyPath] }
      }
    }
    nonisolated(unsafe) let tokens = observers
    return NSKeyValueObservation {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
      observation.invalidate()
    }
  }
}
