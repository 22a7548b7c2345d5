// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LockedCameraCapture
import Testing

extension ProcessSession {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ButtonTests {
    @Test func `the buttons are given back while no interaction wants them`() async throws {
      var heard: [String] = []
      let first = AVCaptureEventInteraction { _ in heard.append("first") }
      let second = AVCaptureEventInteraction { _ in heard.append("second") }
      try await conversation(camera: false) { host in
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
      #expect(heard == ["first", "second", "second", "first"])
    }

    @Test func `an interaction that is removed, or was never enabled, wants no buttons`() async throws {
      var heard = 0
      let interaction = AVCaptureEventInteraction { _ in heard += 1 }
      try await conversation(camera: false) { host in
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
      #expect(heard == 1)
    }

    @Test func `the condition of a view's buttons is looked at anew after everything that happens`()
      async throws
    {
      var isRecording = false
      var heard: [String] = []
      try await conversation(camera: false) { host in
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
            heard.append("primary \(event.phase)")
            isRecording = true
          } secondaryAction: { event in
            heard.append("secondary \(event.phase)")
          }
          .appear(in: session)
        session.onAppContextChange { isRecording = false }
      }
      #expect(heard == ["primary began", "secondary ended"])
    }

    @Test func `a host that refuses the buttons is heard in the log`() async throws {
      let interaction = AVCaptureEventInteraction { _ in }
      try await conversation(camera: false) { host in
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
