// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Attaches an interaction, and asks the host for the buttons if it is enabled and no other was.
  ///
  /// Throws what the host answers. An interaction is attached to one session at a time.
  @MainActor
  public func addInteraction(_ interaction: AVCaptureEventInteraction) throws {
    try attach(interaction) { _ = try runtime.request($0, Nothing.self) }
  }

  /// The same while the scene is made, with everything else that it asks for.
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

  /// Detaches an interaction; when none is left that is enabled, the system has the buttons back.
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
  /// Asks for the buttons, or gives them back, as the interactions now want it.
  func buttonsChanged() {
    let wanted = wantedButtons()
    guard wanted != subscription else { return }
    subscription = wanted
    // Nobody waits for the answer, because this happens in the middle of an author's assignment.
    send(wanted.map(ExtensionRequest.subscribing) ?? .captureUnsubscribe)
  }

  /// What the interactions want, together with one that is not attached yet; nil: the system has the buttons.
  func wantedButtons(with other: AVCaptureEventInteraction? = nil) -> ButtonSubscription? {
    let enabled = (handlers.interactions + [other].compactMap(\.self)).filter(\.isEnabled)
    if enabled.isEmpty { return nil }
    return enabled.contains(where: \.isSoundDisabled) ? .withoutSound : .withSound
  }
}

extension ExtensionRequest {
  /// The request for what is wanted of the buttons.
  fileprivate static func subscribing(_ wanted: ButtonSubscription) -> ExtensionRequest {
    .captureSubscribe(defaultSoundDisabled: wanted == .withoutSound)
  }
}
