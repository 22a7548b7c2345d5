// SPDX-License-Identifier: Apache-2.0

extension CaptureView {
  /// Calls `action` when any capture button is pressed or released.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the view handles the buttons; evaluated again after each event. When no view and
  ///     no interaction handles them, they revert to the system.
  ///   - action: The handler, called in the main actor. Errors that it throws are logged.
  /// - Returns: The view with the handler.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    action: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(AVCaptureEventInteraction(handler: action), isEnabled: isEnabled)
  }

  /// Calls a separate action for each capture button.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the view handles the buttons; evaluated again after each event. When no view and
  ///     no interaction handles them, they revert to the system.
  ///   - primaryAction: The handler of the shutter button. Errors that it throws are logged.
  ///   - secondaryAction: The handler of the other button. Errors that it throws are logged.
  /// - Returns: The view with the handlers.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    primaryAction: @escaping (AVCaptureEvent) throws -> Void,
    secondaryAction: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(
      AVCaptureEventInteraction(primary: primaryAction, secondary: secondaryAction),
      isEnabled: isEnabled
    )
  }

  /// Calls `action` when any capture button is pressed or released, with control of the host's sound; Apple's
  /// signature.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the view handles the buttons; evaluated again after each event.
  ///   - defaultSoundDisabled: Whether the host plays no sound for remote buttons, such as those of
  ///     headphones; evaluated again after each event. The action then plays a sound with
  ///     ``AVCaptureEvent/play(_:)``.
  ///   - action: The handler, called in the main actor. Errors that it throws are logged.
  /// - Returns: The view with the handler.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    defaultSoundDisabled: @escaping @autoclosure @MainActor () -> Bool,
    action: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(
      AVCaptureEventInteraction(handler: action),
      isEnabled: isEnabled,
      disablesDefaultSound: defaultSoundDisabled
    )
  }

  /// Calls a separate action for each capture button, with control of the host's sound; Apple's signature.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the view handles the buttons; evaluated again after each event.
  ///   - defaultSoundDisabled: Whether the host plays no sound for remote buttons, such as those of
  ///     headphones; evaluated again after each event. The actions then play a sound with
  ///     ``AVCaptureEvent/play(_:)``.
  ///   - primaryAction: The handler of the shutter button. Errors that it throws are logged.
  ///   - secondaryAction: The handler of the other button. Errors that it throws are logged.
  /// - Returns: The view with the handlers.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    defaultSoundDisabled: @escaping @autoclosure @MainActor () -> Bool,
    primaryAction: @escaping (AVCaptureEvent) throws -> Void,
    secondaryAction: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(
      AVCaptureEventInteraction(primary: primaryAction, secondary: secondaryAction),
      isEnabled: isEnabled,
      disablesDefaultSound: defaultSoundDisabled
    )
  }

  /// Calls `action` for each press of a capture button, classified as short or held; specific to Darkroom.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the view handles the buttons; evaluated again after each event. Disabling it
  ///     cancels a held press.
  ///   - minimumHold: The minimum duration of a held press. If it is zero or negative, every press counts as
  ///     held immediately.
  ///   - action: The handler, called in the main actor. Errors that it throws are logged.
  /// - Returns: The view with the handler.
  public func onCapturePress(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    minimumHold: Duration = .milliseconds(500),
    action: @escaping (CapturePress) throws -> Void
  ) -> some CaptureView {
    interaction(
      CapturePressInteraction(minimumHold: minimumHold, handler: action).interaction,
      isEnabled: isEnabled
    )
  }

  /// Attaches an interaction, like UIKit's `addInteraction(_:)`.
  ///
  /// Its ``AVCaptureEventInteraction/isEnabled`` may change at any time.
  public func interaction(_ interaction: AVCaptureEventInteraction) -> some CaptureView {
    ModifiedView(base: self) { context in try context.session.requestButtonsForScene(interaction) }
  }

  /// Attaches an interaction and updates its enabled state and its sound from the given conditions.
  private func interaction(
    _ interaction: AVCaptureEventInteraction,
    isEnabled: @escaping @MainActor () -> Bool,
    disablesDefaultSound: @escaping @MainActor () -> Bool = { false }
  ) -> some CaptureView {
    ModifiedView(base: self) { context in
      let update = {
        interaction.isDefaultSoundDisabled = disablesDefaultSound()
        interaction.isEnabled = isEnabled()
      }
      update()
      try context.session.requestButtonsForScene(interaction)
      context.session.runtime.handlers.watchers.append(update)
    }
  }
}
