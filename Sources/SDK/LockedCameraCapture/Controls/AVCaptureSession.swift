// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import ExtensionProtocol
internal import Synchronization

/// The camera of a capture extension: whether its frames flow, and what of it the person can adjust; Apple's class.
///
/// The camera itself is the host's, so that there are no inputs and no outputs: frames come through ``Viewfinder`` and
/// ``LockedCameraCaptureSession/onFrame(_:)``. Of several such sessions in a process, the controls of the one are shown
/// whose controls were changed last. Every member may be used in any thread.
public final class AVCaptureSession: Sendable {
  /// What changes.
  private let state = Mutex(State())

  /// What changes about a session.
  private struct State: Sendable {
    var controls: [AVCaptureControl] = []
    var delegate = ControlsDelegateEntry()
    /// How many configurations were begun and not committed.
    var openConfigurations = 0
    /// Whether the host will be told of the controls as they are then.
    var isScheduled = false
  }

  /// Makes a session without controls.
  public init() {}

  deinit {
    let controls = state.withLock { $0.controls }
    guard !controls.isEmpty else { return }
    Task { @MainActor in CurrentSession.session?.runtime.controls.withdraw() }
  }

  // MARK: Configurations

  /// Begins several changes of the controls, of which the host hears at once; they may be nested.
  public func beginConfiguration() { state.withLock { $0.openConfigurations += 1 } }

  /// Ends what ``beginConfiguration()`` has begun; the host hears of the changes after the outermost one.
  public func commitConfiguration() {
    state.withLock { $0.openConfigurations = max(0, $0.openConfigurations - 1) }
    controlsChanged()
  }

  // MARK: Controls

  /// Whether somebody could adjust controls: not in an app, and not in a session that nobody operates.
  public var supportsControls: Bool { maxControlsCount > 0 }

  /// How many controls a session can have at most; 0 if it supports none.
  public var maxControlsCount: Int { CurrentSession.session?.mostControls ?? 0 }

  /// The controls, in the order in which they were added.
  public var controls: [AVCaptureControl] { state.withLock { $0.controls } }

  /// Whether a control can be added: it is in no session, there is room for it, and its texts can be shown.
  public func canAddControl(_ control: AVCaptureControl) -> Bool {
    control.session == nil && controls.count < maxControlsCount && Self.canBeShown(control)
  }

  /// Adds a control. One that ``canAddControl(_:)`` refuses is a mistake in the program, which ends, as with Apple's
  /// exception.
  public func addControl(_ control: AVCaptureControl) {
    let most = maxControlsCount
    let isAdded =
      Self.canBeShown(control) && control.move(from: nil, to: self)
      && state.withLock { state in
        guard state.controls.count < most else { return false }
        state.controls.append(control)
        return true
      }
    precondition(isAdded, "the control \"\(control.title)\" cannot be added; ask canAddControl(_:) before")
    controlsChanged()
  }

  /// Whether a host would take a control.
  private static func canBeShown(_ control: AVCaptureControl) -> Bool {
    (try? control.describe(as: "control").validate()) != nil
  }

  /// Takes a control away; one that is not in the session is ignored.
  public func removeControl(_ control: AVCaptureControl) {
    guard control.move(from: self, to: nil) else { return }
    state.withLock { $0.controls.removeAll { $0 === control } }
    controlsChanged()
  }

  /// Tells `controlsDelegate` how the controls stand before the person, in this serial queue; it is not kept alive.
  ///
  /// Without a queue it is the main one.
  public func setControlsDelegate(
    _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?,
    queue controlsDelegateCallbackQueue: DispatchQueue?
  ) {
    let entry = ControlsDelegateEntry(delegate: controlsDelegate, queue: controlsDelegateCallbackQueue)
    state.withLock { $0.delegate = entry }
  }

  /// Who is told how the controls stand before the person.
  public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? { delegateEntry.delegate }

  /// The queue in which ``controlsDelegate`` is called.
  public var controlsDelegateCallbackQueue: DispatchQueue? { delegateEntry.queue }

  /// The delegate and its queue.
  var delegateEntry: ControlsDelegateEntry { state.withLock { $0.delegate } }

  /// Has the host told of the controls when the main thread has time: many changes are one message.
  func controlsChanged() {
    let isNews = state.withLock { state in
      guard state.openConfigurations == 0, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    guard isNews else { return }
    Task { @MainActor in
      self.state.withLock { $0.isScheduled = false }
      guard let runtime = CurrentSession.session?.runtime else { return }
      runtime.controls.declare(self, to: runtime)
    }
  }
}
