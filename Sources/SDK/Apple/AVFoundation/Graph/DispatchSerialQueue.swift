// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A serial queue that can run an actor; the name of a class of Dispatch that Dispatch for Linux lacks.
///
/// It is not a subclass of `DispatchQueue`, which cannot have subclasses outside of Dispatch. Pass ``queue`` to functions that
/// require a `DispatchQueue`.
public final class DispatchSerialQueue: SerialExecutor, Sendable {
  /// The queue.
  public let queue: DispatchQueue

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - label: The name of the queue in debuggers.
  ///   - qos: The priority.
  public init(label: String, qos: DispatchQoS = .unspecified) {
    queue = DispatchQueue(label: label, qos: qos)
  }

  /// The name of the queue.
  public var label: String { queue.label }

  /// Runs a part of a task in the queue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Terminates the process if the caller is not in the queue.
  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Runs a closure in the queue.
  public func async(execute work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Runs a closure in the queue, and waits for it.
  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: work)
  }
}

extension AVCaptureSession {
  /// Sets the object that is notified about the controls of the session, as with a `DispatchQueue`.
  public func setControlsDelegate(
    _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?,
    queue: DispatchSerialQueue
  ) { setControlsDelegate(controlsDelegate, queue: queue.queue) }
}
