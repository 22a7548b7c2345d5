// SPDX-License-Identifier: Apache-2.0

extension CaptureView {
  /// Calls `action` when a capture button moves, whichever it is.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the buttons are wanted; evaluated anew after everything that happens. When no view and no
  ///     interaction wants them, the system has them back.
  ///   - action: What is done. What it throws goes to the log.
  /// - Returns: The view, with its buttons.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    action: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(AVCaptureEventInteraction(handler: action), isEnabled: isEnabled)
  }

  /// Calls an action for each capture button.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the buttons are wanted; evaluated anew after everything that happens. When no view and no
  ///     interaction wants them, the system has them back.
  ///   - primaryAction: What is done when the shutter moves. What it throws goes to the log.
  ///   - secondaryAction: What is done when the other button moves. What it throws goes to the log.
  /// - Returns: The view, with its buttons.
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

  /// Calls `action` when a capture button moves, whichever it is, and turns the host's sound for remote buttons off; Apple's.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the buttons are wanted; evaluated anew after everything that happens.
  ///   - defaultSoundDisabled: Whether the host plays no sound when a button is pressed that is not on the machine, as one
  ///     on headphones; evaluated anew after everything that happens. The action plays one with
  ///     ``AVCaptureEvent/play(_:)`` then.
  ///   - action: What is done. What it throws goes to the log.
  /// - Returns: The view, with its buttons.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    defaultSoundDisabled: @escaping @autoclosure @MainActor () -> Bool,
    action: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(
      AVCaptureEventInteraction(handler: action),
      isEnabled: isEnabled,
      isSilent: defaultSoundDisabled
    )
  }

  /// Calls an action for each capture button, and turns the host's sound for remote buttons off; Apple's.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the buttons are wanted; evaluated anew after everything that happens.
  ///   - defaultSoundDisabled: Whether the host plays no sound when a button is pressed that is not on the machine, as one
  ///     on headphones; evaluated anew after everything that happens. The actions play one with
  ///     ``AVCaptureEvent/play(_:)`` then.
  ///   - primaryAction: What is done when the shutter moves. What it throws goes to the log.
  ///   - secondaryAction: What is done when the other button moves. What it throws goes to the log.
  /// - Returns: The view, with its buttons.
  public func onCameraCaptureEvent(
    isEnabled: @escaping @autoclosure @MainActor () -> Bool = true,
    defaultSoundDisabled: @escaping @autoclosure @MainActor () -> Bool,
    primaryAction: @escaping (AVCaptureEvent) throws -> Void,
    secondaryAction: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    interaction(
      AVCaptureEventInteraction(primary: primaryAction, secondary: secondaryAction),
      isEnabled: isEnabled,
      isSilent: defaultSoundDisabled
    )
  }

  /// Calls `action` when a press of a capture button has turned out to be short, or held; Darkroom's own.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the buttons are wanted; evaluated anew after everything that happens. What is held when they are
  ///     no longer is cancelled.
  ///   - minimumHold: How long a button has to be down to be held. Zero or less: every press is held at once.
  ///   - action: What is done. What it throws goes to the log.
  /// - Returns: The view, with its buttons.
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

  /// Attaches an interaction, which is what UIKit's `addInteraction(_:)` does; its ``AVCaptureEventInteraction/isEnabled``
  /// may be changed at any time.
  public func interaction(_ interaction: AVCaptureEventInteraction) -> some CaptureView {
    ModifiedView(base: self) { context in try context.session.demandButtons(interaction) }
  }

  /// Attaches an interaction that is enabled as long as a condition holds, and without the default sound as long as
  /// another does.
  private func interaction(
    _ interaction: AVCaptureEventInteraction,
    isEnabled: @escaping @MainActor () -> Bool,
    isSilent: @escaping @MainActor () -> Bool = { false }
  ) -> some CaptureView {
    ModifiedView(base: self) { context in
      let update = {
        interaction.isDefaultSoundDisabled = isSilent()
        interaction.isEnabled = isEnabled()
      }
      update()
      try context.session.demandButtons(interaction)
      context.session.runtime.handlers.watchers.append(update)
    }
  }
}
