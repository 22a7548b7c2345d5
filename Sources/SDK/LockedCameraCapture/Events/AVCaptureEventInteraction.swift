// SPDX-License-Identifier: Apache-2.0

/// The handlers for the capture buttons.
///
/// Attach an interaction to a view with ``CaptureView/interaction(_:)``, or to a session with
/// ``LockedCameraCaptureSession/addInteraction(_:)``. Errors that a handler throws are logged; the session
/// continues.
@MainActor
public final class AVCaptureEventInteraction {
  /// A handler for an event.
  public typealias Handler = (AVCaptureEvent) throws -> Void

  /// Whether the handlers are called.
  ///
  /// While an interaction of the session is enabled, the session receives the buttons. Otherwise they revert
  /// to the system, and a volume key changes the volume.
  public var isEnabled = true {
    didSet {
      guard isEnabled != oldValue else { return }
      runtime?.updateSubscription()
      if !isEnabled { withdraw() }
    }
  }
  /// Whether the host's sound for remote buttons, such as those of headphones, is disabled in this process;
  /// Apple's property.
  ///
  /// The default is `false`. An extension that sets it to `true` plays sounds with
  /// ``AVCaptureEvent/play(_:)``. A change applies to later presses.
  /// ``CaptureView/onCameraCaptureEvent(isEnabled:defaultSoundDisabled:action:)`` does the same for one view.
  public static var defaultCaptureSoundDisabled = false {
    didSet {
      guard defaultCaptureSoundDisabled != oldValue else { return }
      CurrentSession.session?.runtime.updateSubscription()
    }
  }

  /// Whether the default sound is disabled while this interaction is enabled.
  var isDefaultSoundDisabled = false {
    didSet { if isDefaultSoundDisabled != oldValue { runtime?.updateSubscription() } }
  }
  /// Whether the default sound is disabled, for this interaction or for the process.
  var isSoundDisabled: Bool { isDefaultSoundDisabled || Self.defaultCaptureSoundDisabled }

  private let primary: Handler
  private let secondary: Handler
  /// The session to which the interaction is attached.
  weak var runtime: SessionRuntime?
  /// The action for the case that events stop while a button may be down.
  var onWithdrawal: () throws -> Void = {}

  /// Creates an interaction with one handler for both buttons.
  public init(handler: @escaping Handler) {
    primary = handler
    secondary = handler
  }

  /// Creates an interaction with a separate handler for each button.
  public init(primary: @escaping Handler, secondary: @escaping Handler) {
    self.primary = primary
    self.secondary = secondary
  }

  /// Runs ``onWithdrawal``, because no more events will be delivered.
  func withdraw() {
    if let runtime { runtime.attempt(onWithdrawal) }
  }

  func deliver(_ event: AVCaptureEvent) throws {
    guard isEnabled else { return }
    switch event.button {
    case .primary: try primary(event)
    case .secondary: try secondary(event)
    }
  }
}
