// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LockedCameraCapture
import Testing

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CapturePressTests {
    /// Records presses as text, and in the log of the session, so that the host can synchronize with them.
    @MainActor private final class PressRecorder {
      var lines: [String] = []

      func note(_ press: CapturePress, in session: LockedCameraCaptureSession) {
        lines.append("\(press.button) \(press.phase) by \(press.event.phase)")
        session.log(.info, "\(press.phase)")
      }
    }

    private nonisolated static func event(_ button: CaptureButton, _ phase: CapturePhase) -> HostMessage {
      .notification(.captureEvent(CaptureEvent(button, phase)))
    }

    @Test func `distinguishes a press from a hold by the duration of the button press`() async throws {
      let recorder = PressRecorder()
      try await runAsyncSession(camera: false) { host in
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
        try EmptyView().onCapturePress(minimumHold: .milliseconds(100)) { recorder.note($0, in: session) }
          .appear(in: session)
      }
      #expect(recorder.lines == ["primary holdBegan by began", "primary holdEnded by ended"])
    }

    @Test func `reports a short press when it ends, each time`() async throws {
      let recorder = PressRecorder()
      try await runAsyncSession(camera: false) { host in
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
        let press = CapturePressInteraction(minimumHold: .seconds(3600)) { recorder.note($0, in: session) }
        try session.addInteraction(press.interaction)
      }
      #expect(recorder.lines == ["secondary pressed by ended", "secondary pressed by ended"])
    }

    @Test func `cancels a hold when the button device is lost or the buttons are no longer wanted`()
      async throws
    {
      let recorder = PressRecorder()
      try await runAsyncSession(camera: false) { host in
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
        let press = CapturePressInteraction(minimumHold: .zero) { recorder.note($0, in: session) }
        try session.addInteraction(press.interaction)
        session.onAppContextChange { press.interaction.isEnabled = false }
      }
      let once = ["primary holdBegan by began", "primary holdCancelled by cancelled"]
      #expect(recorder.lines == once + ["primary holdBegan by began", "primary holdCancelled by began"])
    }
  }
}
