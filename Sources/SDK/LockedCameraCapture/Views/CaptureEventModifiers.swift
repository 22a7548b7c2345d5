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
    captureEvents(primary: action, secondary: action, isEnabled: isEnabled)
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
    captureEvents(primary: primaryAction, secondary: secondaryAction, isEnabled: isEnabled)
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
    captureEvents(
      primary: action,
      secondary: action,
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
    captureEvents(
      primary: primaryAction,
      secondary: secondaryAction,
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
    BehaviorView(self) { node, _ in
      let attachment = node.storage as? PressAttachment ?? PressAttachment(minimumHold)
      node.storage = attachment
      attachment.handler = action
      try attachment.update(node, isEnabled: isEnabled)
    }
  }

  /// Attaches an interaction while the view is in the tree, like UIKit's `addInteraction(_:)`.
  ///
  /// Its ``AVCaptureEventInteraction/isEnabled`` may change at any time.
  public func interaction(_ interaction: AVCaptureEventInteraction) -> some CaptureView {
    BehaviorView(self) { node, _ in
      let former = node.storage as? InteractionAttachment
      if former?.interaction === interaction { return }
      node.detachment?()
      let attachment = InteractionAttachment(interaction)
      node.storage = attachment
      try attachment.attach(node)
    }
  }

  /// Attaches handlers, and updates their enabled state and their sound from the given conditions.
  private func captureEvents(
    primary: @escaping AVCaptureEventInteraction.Handler,
    secondary: @escaping AVCaptureEventInteraction.Handler,
    isEnabled: @escaping @MainActor () -> Bool,
    disablesDefaultSound: @escaping @MainActor () -> Bool = { false }
  ) -> some CaptureView {
    BehaviorView(self) { node, _ in
      let attachment = node.storage as? EventAttachment ?? EventAttachment()
      node.storage = attachment
      attachment.handlers = (primary, secondary)
      try attachment.update(node, isEnabled: isEnabled, disablesDefaultSound: disablesDefaultSound)
    }
  }
}

/// An interaction that is attached to the session while its view is in the tree.
@MainActor
private class InteractionAttachment {
  let interaction: AVCaptureEventInteraction

  init(_ interaction: AVCaptureEventInteraction) { self.interaction = interaction }

  /// Attaches the interaction to the session until the view leaves the tree.
  func attach(_ node: ViewNode) throws {
    let (session, interaction) = (node.graph.session, interaction)
    try session.requestButtonsForScene(interaction)
    node.detachment = { session.removeInteraction(interaction) }
  }

  /// Attaches the interaction, and updates its enabled state and its sound now and after each event.
  func update(
    _ node: ViewNode,
    isEnabled: @escaping @MainActor () -> Bool,
    disablesDefaultSound: @escaping @MainActor () -> Bool = { false }
  ) throws {
    let interaction = interaction
    let check = {
      interaction.isDefaultSoundDisabled = disablesDefaultSound()
      interaction.isEnabled = isEnabled()
    }
    check()
    node.graph.watch(node, check)
    try attach(node)
  }
}

/// The attached handlers of the capture buttons, which each evaluation of the view replaces.
private final class EventAttachment: InteractionAttachment {
  /// The handlers of the last evaluation.
  var handlers: (primary: AVCaptureEventInteraction.Handler, secondary: AVCaptureEventInteraction.Handler)?

  init() {
    weak var attachment: EventAttachment?
    let interaction = AVCaptureEventInteraction(
      primary: { try attachment?.handlers?.primary($0) },
      secondary: { try attachment?.handlers?.secondary($0) }
    )
    super.init(interaction)
    attachment = self
  }
}

/// The attached handler of classified presses, which each evaluation of the view replaces.
private final class PressAttachment: InteractionAttachment {
  /// The handler of the last evaluation.
  var handler: CapturePressInteraction.Handler?

  init(_ minimumHold: Duration) {
    weak var attachment: PressAttachment?
    let press = CapturePressInteraction(minimumHold: minimumHold) { try attachment?.handler?($0) }
    super.init(press.interaction)
    attachment = self
  }
}
