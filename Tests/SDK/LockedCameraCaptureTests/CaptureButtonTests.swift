// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LockedCameraCapture
import Testing

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureButtonTests {
    @Test func `unsubscribes from capture buttons while no interaction is enabled`() async throws {
      var events: [String] = []
      let first = AVCaptureEventInteraction { _ in events.append("first") }
      let second = AVCaptureEventInteraction { _ in events.append("second") }
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe())
        try host.press()
        try host.send(.notification(.contextChanged("one less")))
        try host.press()
        try host.send(.notification(.contextChanged("none")))
        try host.answer(.captureUnsubscribe)
        // A press that the host sent before it received the request.
        try host.press()
        try host.send(.notification(.contextChanged("one again")))
        try host.answer(.captureSubscribe())
        try host.press()
        try host.dismiss()
      } extension: { session in
        try session.addInteraction(first)
        try session.addInteraction(second)
        var steps = [{ first.isEnabled = false }, { second.isEnabled = false }, { first.isEnabled = true }]
        session.onAppContextChange { steps.removeFirst()() }
      }
      #expect(events == ["first", "second", "second", "first"])
    }

    @Test func `does not subscribe to buttons for a removed or a disabled interaction`() async throws {
      var events = 0
      let interaction = AVCaptureEventInteraction { _ in events += 1 }
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.send(.notification(.contextChanged("enable")))
        try host.answer(.captureSubscribe())
        try host.press()
        try host.send(.notification(.contextChanged("remove")))
        try host.answer(.captureUnsubscribe)
        try host.press()
        try host.dismiss()
      } extension: { session in
        interaction.isEnabled = false
        try session.addInteraction(interaction)
        try session.addInteraction(interaction)
        var steps = [{ interaction.isEnabled = true }, { session.removeInteraction(interaction) }]
        session.onAppContextChange { steps.removeFirst()() }
      }
      #expect(events == 1)
    }

    @Test func `reevaluates the condition of button handlers of a view after every event`()
      async throws
    {
      var isRecording = false
      var events: [String] = []
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe())
        try host.press()
        try host.answer(.captureUnsubscribe)
        try host.send(.notification(.contextChanged("stopped")))
        try host.answer(.captureSubscribe())
        try host.send(.notification(.captureEvent(CaptureEvent(.secondary, .ended))))
        try host.dismiss()
      } extension: { session in
        try EmptyView()
          .onCameraCaptureEvent(isEnabled: !isRecording) { event in
            events.append("primary \(event.phase)")
            isRecording = true
          } secondaryAction: { event in
            events.append("secondary \(event.phase)")
          }
          .appear(in: session)
        session.onAppContextChange { isRecording = false }
      }
      #expect(events == ["primary began", "secondary ended"])
    }

    @Test func `logs a subscription that the host refuses`() async throws {
      let interaction = AVCaptureEventInteraction { _ in }
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.send(.notification(.contextChanged("enable")))
        let refusal = ErrorObject(code: 4003, message: "no")
        try host.answer(.captureSubscribe(), .failure(refusal))
        try host.expect(.log(.error, "capture/subscribe: no (4003)"))
        try host.dismiss()
      } extension: { session in
        interaction.isEnabled = false
        try session.addInteraction(interaction)
        session.onAppContextChange { interaction.isEnabled = true }
      }
    }
  }
}
