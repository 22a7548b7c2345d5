// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Attaches an interaction, and subscribes to the buttons if it is the first enabled one.
  ///
  /// An interaction can be attached to one session at a time. The call waits for the reply of the host.
  ///
  /// - Parameter interaction: The interaction.
  /// - Throws: ``LockedCameraCaptureError`` if the host refuses the subscription.
  @MainActor
  public func addInteraction(_ interaction: AVCaptureEventInteraction) throws {
    try attach(interaction) { _ = try runtime.request($0, EmptyResult.self) }
  }

  /// Attaches an interaction while the scene is created; ``SessionRuntime/awaitSceneReplies()`` waits for the reply.
  @MainActor
  package func requestButtonsForScene(_ interaction: AVCaptureEventInteraction) throws {
    let (runtime, former) = (runtime, runtime.subscription)
    try attach(interaction) { try runtime.addSceneRequest($0) { runtime.subscription = former } }
  }

  @MainActor
  private func attach(
    _ interaction: AVCaptureEventInteraction,
    _ ask: (ExtensionRequest) throws -> Void
  ) throws {
    guard !runtime.handlers.interactions.contains(where: { $0 === interaction }) else { return }
    if let required = runtime.requiredSubscription(with: interaction), required != runtime.subscription {
      try ask(.subscribing(required))
      runtime.subscription = required
    }
    runtime.handlers.interactions.append(interaction)
    interaction.runtime = runtime
  }

  /// Detaches an interaction; without an enabled interaction, the buttons revert to the system.
  @MainActor
  public func removeInteraction(_ interaction: AVCaptureEventInteraction) {
    guard interaction.runtime === runtime else { return }
    runtime.handlers.interactions.removeAll { $0 === interaction }
    interaction.withdraw()
    interaction.runtime = nil
    runtime.updateSubscription()
  }
}

extension SessionRuntime {
  /// Updates the subscription to the buttons from the state of the interactions.
  func updateSubscription() {
    let required = requiredSubscription()
    guard required != subscription else { return }
    subscription = required
    // This runs during an assignment in the extension's code, so it does not wait for the reply.
    send(required.map(ExtensionRequest.subscribing) ?? .captureUnsubscribe)
  }

  /// Returns the subscription that the interactions and `other` require, or `nil` if none is enabled.
  func requiredSubscription(with other: AVCaptureEventInteraction? = nil) -> ButtonSubscription? {
    let enabled = (handlers.interactions + [other].compactMap(\.self)).filter(\.isEnabled)
    if enabled.isEmpty { return nil }
    return enabled.contains(where: \.isSoundDisabled) ? .withoutSound : .withSound
  }
}

extension ExtensionRequest {
  /// Returns the request for a subscription.
  fileprivate static func subscribing(_ required: ButtonSubscription) -> ExtensionRequest {
    .captureSubscribe(defaultSoundDisabled: required == .withoutSound)
  }
}

/// The subscription of a session to the capture buttons.
enum ButtonSubscription: Sendable {
  /// Events, with the host's default sound for remote buttons.
  case withSound
  /// Events without the default sound; the extension plays sounds itself.
  case withoutSound
}
