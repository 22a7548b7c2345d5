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

  /// Attaches an interaction, which is what UIKit's `addInteraction(_:)` does; its ``AVCaptureEventInteraction/isEnabled``
  /// may be changed at any time.
  public func interaction(_ interaction: AVCaptureEventInteraction) -> some CaptureView {
    ModifiedView(base: self) { context in try context.session.addInteraction(interaction) }
  }

  /// Attaches an interaction that is enabled as long as a condition holds.
  private func interaction(
    _ interaction: AVCaptureEventInteraction,
    isEnabled: @escaping @MainActor () -> Bool
  ) -> some CaptureView {
    ModifiedView(base: self) { context in
      interaction.isEnabled = isEnabled()
      try context.session.addInteraction(interaction)
      context.session.runtime.handlers.watchers.append { interaction.isEnabled = isEnabled() }
    }
  }
}
