// SPDX-License-Identifier: Apache-2.0

/// What is done when a capture button moves; attach it to a view with ``CaptureView/interaction(_:)``, or to a session
/// with ``LockedCameraCaptureSession/addInteraction(_:)``.
///
/// A handler may throw: the error goes to the session's log, and the session goes on.
@MainActor
public final class AVCaptureEventInteraction {
  /// What is done with an event.
  public typealias Handler = (AVCaptureEvent) throws -> Void

  /// Whether the handlers are called.
  ///
  /// As long as an interaction of the session is enabled, the buttons are the session's; when none is, the system has
  /// them back, and a volume key changes the volume.
  public var isEnabled = true {
    didSet {
      guard isEnabled != oldValue else { return }
      runtime?.buttonsChanged()
      if !isEnabled { withdraw() }
    }
  }
  /// Whether the sound that the host plays for buttons away from the machine, as those of headphones, is turned off in this
  /// process; Apple's. It is false unless it is set.
  ///
  /// Who turns it off plays sounds with ``AVCaptureEvent/play(_:)``. It counts for presses that come afterwards;
  /// ``CaptureView/onCameraCaptureEvent(isEnabled:defaultSoundDisabled:action:)`` does the same for one view.
  public static var defaultCaptureSoundDisabled = false {
    didSet {
      guard defaultCaptureSoundDisabled != oldValue else { return }
      CurrentSession.session?.runtime.buttonsChanged()
    }
  }

  /// Whether the default sound is turned off while this interaction is enabled.
  var isDefaultSoundDisabled = false {
    didSet { if isDefaultSoundDisabled != oldValue { runtime?.buttonsChanged() } }
  }
  /// Whether the default sound is turned off, for whatever reason.
  var isSoundDisabled: Bool { isDefaultSoundDisabled || Self.defaultCaptureSoundDisabled }

  private let primary: Handler
  private let secondary: Handler
  /// The session that it is attached to.
  weak var runtime: SessionRuntime?
  /// What is done when no more events are to come, although a button may be down.
  var withdrawn: () throws -> Void = {}

  /// One handler for both buttons.
  public init(handler: @escaping Handler) {
    primary = handler
    secondary = handler
  }

  /// A handler for each button.
  public init(primary: @escaping Handler, secondary: @escaping Handler) {
    self.primary = primary
    self.secondary = secondary
  }

  /// Tells that no more events come.
  func withdraw() {
    if let runtime { runtime.attempt(withdrawn) }
  }

  func deliver(_ event: AVCaptureEvent) throws {
    guard isEnabled else { return }
    switch event.button {
    case .primary: try primary(event)
    case .secondary: try secondary(event)
    }
  }
}
