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
    try attach(interaction) { _ = try runtime.request($0, Nothing.self) }
  }

  /// Attaches an interaction while the scene is created; ``SessionRuntime/settle()`` waits for the reply.
  @MainActor
  func demandButtons(_ interaction: AVCaptureEventInteraction) throws {
    try attach(interaction) { try runtime.demand($0) }
  }

  @MainActor
  private func attach(
    _ interaction: AVCaptureEventInteraction,
    _ ask: (ExtensionRequest) throws -> Void
  ) throws {
    guard !runtime.handlers.interactions.contains(where: { $0 === interaction }) else { return }
    if let wanted = runtime.wantedButtons(with: interaction), wanted != runtime.subscription {
      try ask(.subscribing(wanted))
      runtime.subscription = wanted
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
    runtime.buttonsChanged()
  }
}

extension SessionRuntime {
  /// Updates the subscription to the buttons from the state of the interactions.
  func buttonsChanged() {
    let wanted = wantedButtons()
    guard wanted != subscription else { return }
    subscription = wanted
    // This runs during an assignment in the extension's code, so it does not wait for the reply.
    send(wanted.map(ExtensionRequest.subscribing) ?? .captureUnsubscribe)
  }

  /// Returns the subscription that the interactions and `other` require, or `nil` if none is enabled.
  func wantedButtons(with other: AVCaptureEventInteraction? = nil) -> ButtonSubscription? {
    let enabled = (handlers.interactions + [other].compactMap(\.self)).filter(\.isEnabled)
    if enabled.isEmpty { return nil }
    return enabled.contains(where: \.isSoundDisabled) ? .withoutSound : .withSound
  }
}

extension ExtensionRequest {
  /// Returns the request for a subscription.
  fileprivate static func subscribing(_ wanted: ButtonSubscription) -> ExtensionRequest {
    .captureSubscribe(defaultSoundDisabled: wanted == .withoutSound)
  }
}
