// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LockedCameraCapture
import Testing

extension ProcessSession {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CapturePressTests {
    /// Records presses as text, and in the log of the session, so that the host can synchronize with them.
    @MainActor private final class Told {
      var words: [String] = []

      func note(_ press: CapturePress, in session: LockedCameraCaptureSession) {
        words.append("\(press.button) \(press.phase) by \(press.event.phase)")
        session.log(.info, "\(press.phase)")
      }
    }

    private nonisolated static func event(_ button: CaptureButton, _ phase: CapturePhase) -> HostMessage {
      .notification(.captureEvent(CaptureEvent(button, phase)))
    }

    @Test func `a button that is let go soon was pressed, and one that was not was held`() async throws {
      let told = Told()
      try await conversation(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe())
        try host.send(Self.event(.primary, .began))
        try host.expect(.log(.info, "holdBegan"))
        // The state of the other button is independent.
        try host.send(Self.event(.secondary, .began))
        try host.send(Self.event(.secondary, .cancelled))
        try host.send(Self.event(.primary, .ended))
        try host.expect(.log(.info, "holdEnded"))
        try host.dismiss()
      } extension: { session in
        try EmptyView().onCapturePress(minimumHold: .milliseconds(100)) { told.note($0, in: session) }
          .appear(in: session)
      }
      #expect(told.words == ["primary holdBegan by began", "primary holdEnded by ended"])
    }

    @Test func `a short press is told when it ends, however often it comes`() async throws {
      let told = Told()
      try await conversation(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe())
        for _ in 0..<2 {
          try host.send(Self.event(.secondary, .began))
          try host.send(Self.event(.secondary, .ended))
          try host.expect(.log(.info, "pressed"))
        }
        // A release without a preceding press.
        try host.send(Self.event(.secondary, .ended))
        // A press that is cancelled before it becomes a short press or a hold.
        try host.send(Self.event(.primary, .began))
        try host.send(Self.event(.primary, .cancelled))
        try host.dismiss()
      } extension: { session in
        let press = CapturePressInteraction(minimumHold: .seconds(3600)) { told.note($0, in: session) }
        try session.addInteraction(press.interaction)
      }
      #expect(told.words == ["secondary pressed by ended", "secondary pressed by ended"])
    }

    @Test func `a hold is cancelled when its device is gone, and when the buttons are no longer wanted`()
      async throws
    {
      let told = Told()
      try await conversation(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe())
        try host.send(Self.event(.primary, .began))
        try host.expect(.log(.info, "holdBegan"))
        try host.send(Self.event(.primary, .cancelled))
        try host.expect(.log(.info, "holdCancelled"))
        try host.send(Self.event(.primary, .began))
        try host.expect(.log(.info, "holdBegan"))
        try host.send(.notification(.contextChanged("enough")))
        try host.answer(.captureUnsubscribe)
        try host.expect(.log(.info, "holdCancelled"))
        try host.send(Self.event(.primary, .ended))
        try host.dismiss()
      } extension: { session in
        let press = CapturePressInteraction(minimumHold: .zero) { told.note($0, in: session) }
        try session.addInteraction(press.interaction)
        session.onAppContextChange { press.interaction.isEnabled = false }
      }
      let once = ["primary holdBegan by began", "primary holdCancelled by cancelled"]
      #expect(told.words == once + ["primary holdBegan by began", "primary holdCancelled by began"])
    }
  }
}
