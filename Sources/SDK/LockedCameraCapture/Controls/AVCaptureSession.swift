// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import ExtensionProtocol
internal import Synchronization

/// The camera of a capture extension: its running state and its adjustable controls; Apple's class.
///
/// The module `AVFoundation` adds inputs and outputs. Without this module, frames arrive through
/// ``Viewfinder`` and ``LockedCameraCaptureSession/onFrame(_:)``. If a process has several instances, the host
/// shows the controls of the instance whose controls changed last. Every member may be used on any thread.
public final class AVCaptureSession: Sendable {
  /// The inputs and outputs, which belong to the module `AVFoundation`.
  package let attachment = Attachment()
  /// The mutable state.
  private let state = Mutex(State())

  /// The mutable state of a session.
  private struct State: Sendable {
    var controls: [AVCaptureControl] = []
    var delegate = ControlsDelegateEntry()
    /// The number of configurations that are not committed yet.
    var openConfigurations = 0
    /// Whether a task is scheduled that declares the controls to the host.
    var isScheduled = false
  }

  /// Creates a session without controls.
  public init() {}

  deinit {
    let controls = state.withLock { $0.controls }
    guard !controls.isEmpty else { return }
    Task { @MainActor in CurrentSession.session?.runtime.controls.withdraw() }
  }

  // MARK: Configurations

  /// Starts a batch of changes to the controls, which are sent to the host together; batches may be nested.
  public func beginConfiguration() { state.withLock { $0.openConfigurations += 1 } }

  /// Ends a batch of changes; the end of the outermost batch sends them to the host.
  public func commitConfiguration() {
    state.withLock { $0.openConfigurations = max(0, $0.openConfigurations - 1) }
    controlsChanged()
    if !isConfiguring { configurationCommitted() }
  }

  /// Whether a batch of changes is open.
  package var isConfiguring: Bool { state.withLock { $0.openConfigurations > 0 } }

  // MARK: Controls

  /// Whether the session supports controls: `false` in an app and in a session without user interaction.
  public var supportsControls: Bool { maxControlsCount > 0 }

  /// The maximum number of controls, or 0 if the session does not support controls.
  public var maxControlsCount: Int { CurrentSession.session?.maximumControls ?? 0 }

  /// The controls, in the order in which they were added.
  public var controls: [AVCaptureControl] { state.withLock { $0.controls } }

  /// Returns whether a control can be added: it belongs to no session, the limit is not reached, and its
  /// texts are valid.
  public func canAddControl(_ control: AVCaptureControl) -> Bool {
    control.session == nil && controls.count < maxControlsCount && Self.canBeShown(control)
  }

  /// Adds a control.
  ///
  /// A control for which ``canAddControl(_:)`` returns `false` is a programming error and traps, like Apple's
  /// exception.
  public func addControl(_ control: AVCaptureControl) {
    let limit = maxControlsCount
    let isAdded =
      Self.canBeShown(control) && control.move(from: nil, to: self)
      && state.withLock { state in
        guard state.controls.count < limit else { return false }
        state.controls.append(control)
        return true
      }
    precondition(isAdded, "the control '\(control.title)' cannot be added; call canAddControl(_:) first")
    controlsChanged()
  }

  /// Returns whether the declaration of a control is valid for the host.
  private static func canBeShown(_ control: AVCaptureControl) -> Bool {
    (try? control.describe(as: "control").validate()) != nil
  }

  /// Removes a control; a control that is not in the session is ignored.
  public func removeControl(_ control: AVCaptureControl) {
    guard control.move(from: self, to: nil) else { return }
    state.withLock { $0.controls.removeAll { $0 === control } }
    controlsChanged()
  }

  /// Sets the delegate that is notified when the appearance of the controls changes.
  ///
  /// - Parameters:
  ///   - controlsDelegate: The delegate, or `nil` for none. It is not retained.
  ///   - controlsDelegateCallbackQueue: The serial queue on which the delegate is called, or `nil` for the
  ///     main queue.
  public func setControlsDelegate(
    _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?,
    queue controlsDelegateCallbackQueue: DispatchQueue?
  ) {
    let entry = ControlsDelegateEntry(delegate: controlsDelegate, queue: controlsDelegateCallbackQueue)
    state.withLock { $0.delegate = entry }
  }

  /// The delegate that is notified when the appearance of the controls changes.
  public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? { delegateEntry.delegate }

  /// The queue on which ``controlsDelegate`` is called, or `nil` for the main queue.
  public var controlsDelegateCallbackQueue: DispatchQueue? { delegateEntry.queue }

  /// The delegate and its queue.
  var delegateEntry: ControlsDelegateEntry { state.withLock { $0.delegate } }

  /// Schedules a declaration of the controls to the host on the main thread; several changes result in one
  /// message.
  func controlsChanged() {
    let needsUpdate = state.withLock { state in
      guard state.openConfigurations == 0, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    guard needsUpdate else { return }
    Task { @MainActor in
      self.state.withLock { $0.isScheduled = false }
      guard let runtime = CurrentSession.session?.runtime else { return }
      runtime.controls.declare(self, to: runtime)
    }
  }
}

extension AVCaptureSession: Hashable {
  /// Returns whether both sessions are the same object.
  public static func == (one: AVCaptureSession, other: AVCaptureSession) -> Bool { one === other }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
