// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Attaches an interaction, and asks the host for the buttons if it is enabled and no other was.
  ///
  /// Throws what the host answers. An interaction is attached to one session at a time.
  @MainActor
  public func addInteraction(_ interaction: AVCaptureEventInteraction) throws {
    guard !runtime.handlers.interactions.contains(where: { $0 === interaction }) else { return }
    if interaction.isEnabled, !runtime.isSubscribed {
      _ = try runtime.request(.captureSubscribe(), Nothing.self)
      runtime.isSubscribed = true
    }
    runtime.handlers.interactions.append(interaction)
    interaction.runtime = runtime
  }

  /// Detaches an interaction; when none is left that is enabled, the system has the buttons back.
  @MainActor
  public func removeInteraction(_ interaction: AVCaptureEventInteraction) {
    guard interaction.runtime === runtime else { return }
    runtime.handlers.interactions.removeAll { $0 === interaction }
    interaction.runtime = nil
    runtime.buttonsChanged()
  }
}

extension SessionRuntime {
  /// Asks for the buttons, or gives them back, as the interactions now want it.
  func buttonsChanged() {
    let areWanted = handlers.interactions.contains(where: \.isEnabled)
    guard areWanted != isSubscribed else { return }
    isSubscribed = areWanted
    // Nobody waits for the answer, because this happens in the middle of an author's assignment.
    send(areWanted ? .captureSubscribe() : .captureUnsubscribe)
  }
}
