// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExtensionProtocol
import JSONText
import LockedCameraCapture
import Testing

/// A delegate that records its calls on its queue.
private final class ControlsDelegate: AVCaptureSessionControlsDelegate {
  var callbacks: [String] = []
  func sessionControlsDidBecomeActive(_ session: AVCaptureSession) { callbacks.append("active") }
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) { callbacks.append("enter") }
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) { callbacks.append("exit") }
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) { callbacks.append("inactive") }
}

/// The camera controls of an extension, and their messages to the host.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ControlSynchronizerTests {
    /// Returns the start message of a host that shows camera controls.
    nonisolated private static func start(_ maximumControls: Int = 4) -> SessionStart {
      var start = FakeHost.sessionStart()
      start.devices.cameraControls = maximumControls
      return start
    }

    /// Returns a declaration of one slider with the ID `zoom`.
    nonisolated private static func zoom(
      _ value: Double,
      revision: Int,
      isEnabled: Bool = true,
      format: String? = nil
    ) -> ExtensionRequest {
      let scale = SliderScale(.range(lower: 1, upper: 5, step: 0.1), format: format)
      let control = CameraControl(
        id: "zoom",
        title: "Zoom",
        symbol: "plus",
        isEnabled: isEnabled,
        .slider(scale),
        value: value
      )
      return .controlsDeclare(CameraControlDeclaration(revision: revision, [control]))
    }

    nonisolated private static func change(_ control: String, _ value: Double, _ revision: Int) -> HostMessage
    {
      .notification(
        .controlsChanged(CameraControlChange(revision: revision, control: control, value: value))
      )
    }

    private static func slider() -> AVCaptureSlider {
      AVCaptureSlider("Zoom", symbolName: "plus", in: 1...5, step: 0.1)
    }

    /// Adds a slider and two pickers in one configuration, and returns the pickers.
    private static func configure(
      _ camera: AVCaptureSession,
      _ zoom: AVCaptureSlider
    ) -> (AVCaptureIndexPicker, AVCaptureIndexPicker) {
      zoom.localizedValueFormat = "%@×"
      zoom.value = 1.5
      let balance = AVCaptureIndexPicker(
        "White Balance",
        symbolName: "",
        localizedIndexTitles: ["Auto", "Sun"]
      )
      let other = AVCaptureIndexPicker("White/Balance", symbolName: "", numberOfIndexes: 2)
      camera.beginConfiguration()
      for control in [zoom, balance, other] { camera.addControl(control) }
      zoom.prominentValues = [1, 2.3]
      balance.selectedIndex = 1
      camera.commitConfiguration()
      #expect(camera.controls == [zoom, balance, other])
      #expect(other.localizedIndexTitles == ["0", "1"])
      return (balance, other)
    }

    @Test func `declares controls with their properties, and combines many changes into one declaration`()
      async throws
    {
      let camera = AVCaptureSession()
      let zoom = Self.slider()
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start())
        let picker = CameraControl(
          id: "white-balance",
          title: "White Balance",
          symbol: "",
          .picker(titles: ["Auto", "Sun"]),
          value: 1
        )
        let (id, request) = try host.receiveRequest()
        guard case .controlsDeclare(let declaration) = request else {
          throw FakeHostError(description: "\(request)")
        }
        #expect(declaration.revision == 1)
        #expect(declaration.controls.map(\.id) == ["zoom", "white-balance", "white-balance-2"])
        #expect(declaration.controls[1] == picker)
        guard case .slider(let scale) = declaration.controls[0].choices else {
          throw FakeHostError(description: "\(declaration)")
        }
        #expect(
          scale == SliderScale(.range(lower: 1, upper: 5, step: 0.1), prominent: [1, 2.3], format: "%@×")
        )
        try host.send(.reply(Reply(id: id, result: EmptyResult())))
        try host.send(.notification(.contextChanged("remove")))
        try host.answer(Self.zoom(1.7, revision: 2, isEnabled: false, format: "%@×"))
        try host.dismiss()
      } extension: { session in
        let (balance, other) = Self.configure(camera, zoom)
        session.onAppContextChange {
          camera.removeControl(balance)
          camera.removeControl(other)
          zoom.prominentValues = []
          zoom.isEnabled = false
          zoom.value = 1.7
        }
      }
    }

    @Test func `applies a user adjustment before its action runs on its queue`() async throws {
      let camera = AVCaptureSession()
      let zoom = Self.slider()
      let filter = AVCaptureIndexPicker("Filter", symbolName: "", numberOfIndexes: 3) { "look \($0)" }
      var heard: [String] = []
      let (changes, sink) = AsyncStream.makeStream(of: Int.self)
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start())
        _ = try host.receiveRequest()
        try host.send(Self.change("zoom", 2.3, 1))
        try host.send(Self.change("filter", 2, 1))
        // An unknown control, and a value out of range.
        try host.send(Self.change("flash", 1, 1))
        try host.send(Self.change("filter", 3, 1))
        try host.send(.notification(.contextChanged("end")))
        try host.expect(.log(.info, "end"))
        try host.dismiss()
      } extension: { session in
        let queue = DispatchQueue(label: "filters")
        zoom.setActionQueue(.main) { value in heard.append("\(value) \(zoom.value)") }
        filter.setActionQueue(queue) { index in
          dispatchPrecondition(condition: .onQueue(queue))
          sink.yield(index)
          sink.finish()
        }
        camera.addControl(zoom)
        camera.addControl(filter)
        session.onAppContextChange { session.log(.info, "end") }
      }
      #expect(heard == ["2.3 2.3"])
      var picked: [Int] = []
      for await index in changes { picked.append(index) }
      #expect(picked == [2])
      #expect(filter.selectedIndex == 2)
    }

    @Test func `declares the value of the user after a concurrent change by the extension`() async throws {
      let camera = AVCaptureSession()
      let zoom = Self.slider()
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start())
        try host.answer(Self.zoom(1, revision: 1))
        try host.send(.notification(.contextChanged("set")))
        // The host has sent this change before it received the second declaration.
        let (id, request) = try host.receiveRequest()
        #expect(request == Self.zoom(4, revision: 2))
        try host.send(Self.change("zoom", 2, 1))
        try host.send(.reply(Reply(id: id, result: EmptyResult())))
        try host.answer(Self.zoom(2, revision: 3))
        // The extension does not declare a value that the host has just sent.
        try host.send(Self.change("zoom", 3, 3))
        try host.send(.notification(.contextChanged("log")))
        try host.expect(.log(.info, "3.0"))
        try host.dismiss()
      } extension: { session in
        camera.addControl(zoom)
        var steps = [{ zoom.value = 4 }, { session.log(.info, "\(zoom.value)") }]
        session.onAppContextChange { steps.removeFirst()() }
      }
    }

    @Test func `notifies the delegate of every step between two appearances`() async throws {
      let camera = AVCaptureSession()
      let heard = ControlsDelegate()
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start())
        _ = try host.receiveRequest()
        for appearance: ControlsAppearance in [
          .active, .fullscreen, .active, .inactive, .fullscreen, .inactive,
        ] {
          try host.send(.notification(.controlsAppearance(appearance)))
        }
        try host.dismiss()
      } extension: { _ in
        camera.addControl(Self.slider())
        camera.setControlsDelegate(heard, queue: .main)
        #expect(camera.controlsDelegate === heard)
        #expect(camera.controlsDelegateCallbackQueue?.label == DispatchQueue.main.label)
      }
      #expect(
        heard.callbacks == ["active", "enter", "exit", "inactive", "active", "enter", "exit", "inactive"]
      )
    }

    @Test func `rejects controls that are in another session, exceed the limit or have unprintable titles`()
      async throws
    {
      let (camera, other) = (AVCaptureSession(), AVCaptureSession())
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start(2))
        try host.dismiss()
      } extension: { _ in
        let controls = (0..<3).map { AVCaptureIndexPicker("\($0)", symbolName: "", numberOfIndexes: 2) }
        #expect(camera.supportsControls && camera.maxControlsCount == 2)
        camera.beginConfiguration()
        camera.addControl(controls[0])
        #expect(!camera.canAddControl(controls[0]))
        #expect(!other.canAddControl(controls[0]))
        camera.addControl(controls[1])
        #expect(!camera.canAddControl(controls[2]))
        camera.removeControl(controls[0])
        #expect(camera.canAddControl(controls[0]) && camera.canAddControl(controls[2]))
        for title in ["", "\u{1B}[2J", String(repeating: "x", count: 129)] {
          #expect(!camera.canAddControl(AVCaptureSlider(title, symbolName: "", values: [1])))
        }
      }
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start(0))
        try host.dismiss()
      } extension: { _ in
        #expect(!other.supportsControls)
        #expect(!other.canAddControl(AVCaptureSlider("a", symbolName: "", values: [1])))
      }
    }

    @Test func `removes the controls of a released session`() async throws {
      var camera: AVCaptureSession? = AVCaptureSession()
      try await runAsyncSession(camera: false) { host in
        try host.start(Self.start())
        try host.answer(Self.zoom(1, revision: 1))
        try host.send(.notification(.contextChanged("forget")))
        try host.answer(.controlsDeclare(CameraControlDeclaration(revision: 2, [])))
        try host.dismiss()
      } extension: { session in
        camera?.addControl(Self.slider())
        session.onAppContextChange { camera = nil }
      }
    }

    @Test func `runs a session while frames arrive, whichever thread started the camera`() async throws {
      let camera = AVCaptureSession()
      try await runAsyncSession { host in
        try host.start(Self.start())
        try host.startCamera()
        try host.send(.notification(.contextChanged("stop")))
        try host.answer(.cameraStop)
        try host.send(.notification(.contextChanged("start")))
        let refusal = ErrorObject(code: 4002, message: "no")
        try host.answer(.cameraStart(.latest), .failure(refusal))
        try host.expect(.log(.error, "the camera did not start: no (4002)"))
        try host.send(.notification(.contextChanged("elsewhere")))
        try host.startCamera()
        try host.expect(.log(.info, "true"))
        try host.send(.notification(.permissionChanged(Permissions(camera: .denied))))
        try host.send(.notification(.contextChanged("ask")))
        try host.expect(.log(.info, "false"))
        try host.dismiss()
      } extension: { session in
        camera.startRunning()
        #expect(camera.isRunning)
        var steps: [() -> Void] = [
          {
            camera.stopRunning()
            #expect(!camera.isRunning)
            camera.stopRunning()
          },
          {
            camera.startRunning()
            #expect(!camera.isRunning)
          },
          {
            DispatchQueue(label: "elsewhere").async {
              camera.startRunning()
              let isRunning = camera.isRunning
              Task { @MainActor in session.log(.info, "\(isRunning)") }
            }
          },
          { session.log(.info, "\(camera.isRunning)") },
        ]
        session.onAppContextChange { steps.removeFirst()() }
      }
    }

    @Test func `rounds off single-precision noise in slider values`() {
      let slider = AVCaptureSlider("Bias", symbolName: "", values: [0.3, -0.3, 0, 0.3])
      #expect(slider.value == -0.3)
      slider.value = 0.3
      #expect(slider.value == 0.3)
      slider.prominentValues = [0]
      #expect(slider.prominentValues == [0])
      let range = AVCaptureSlider("Bias", symbolName: "plusminus", in: -2...2)
      #expect(range.value == -2 && range.localizedTitle == "Bias" && range.symbolName == "plusminus")
    }
  }
}
