// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import LockedCameraCapture
import Synchronization
import Testing

/// The camera of a capture session: its settings, and the errors that end its frames.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureDeviceTests {
    nonisolated private static let settings = CameraSettingsResult([
      ExtensionProtocol.CameraSetting(.zoom, from: 100, to: 500, step: 10, standard: 100, value: 100),
      ExtensionProtocol.CameraSetting(.automaticFocus, from: 0, to: 1, standard: 1, value: 1),
      ExtensionProtocol.CameraSetting(
        .exposureBias,
        from: -2000,
        to: 2000,
        step: 500,
        standard: 0,
        value: 500
      ),
    ])

    @Test func `maps Apple's properties to settings of the camera, and reports missing settings`()
      async throws
    {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, .success(Self.settings.json))
        let zoom = CameraSettingRequest(name: "zoom", value: 210)
        try host.answer(.cameraSet(zoom), .success(CameraSettingResult(value: 210).json))
        let focus = CameraSettingRequest(name: "automaticFocus", value: 0)
        try host.answer(.cameraSet(focus), .success(CameraSettingResult(value: 0).json))
        let bias = CameraSettingRequest(name: "exposureBias", value: 2000)
        try host.answer(.cameraSet(bias), .failure(ErrorObject(code: 4021, message: "an automatic sets it")))
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        #expect(device.videoZoomFactor == 1 && device.maxAvailableVideoZoomFactor == 5)
        try device.lockForConfiguration()
        // The camera has steps of 0.1.
        device.videoZoomFactor = 2.13
        #expect(device.videoZoomFactor == 2.1)
        #expect(device.focusMode == .continuousAutoFocus && !device.isFocusModeSupported(.autoFocus))
        device.focusMode = .locked
        #expect(device.focusMode == .locked)
        #expect(device.exposureTargetBias == 0.5 && device.maxExposureTargetBias == 2)
        device.setExposureTargetBias(9)
        // The host has refused the value.
        #expect(device.exposureTargetBias == 0.5)
        // The camera lacks these settings.
        #expect(!device.isExposureModeSupported(.continuousAutoExposure))
        device.whiteBalanceMode = .continuousAutoWhiteBalance
        #expect(!device.hasTorch && !device.isTorchModeSupported(.on))
        device.unlockForConfiguration()
      }
    }

    @Test func `sets the exposure time, the gain and the temperature, and reports the changes to observers`()
      async throws
    {
      let settings = CameraSettingsResult([
        ExtensionProtocol.CameraSetting(.exposure, from: 1, to: 5000, step: 1, standard: 100, value: 100),
        ExtensionProtocol.CameraSetting(.gain, from: 0, to: 200, step: 1, standard: 10, value: 10),
        ExtensionProtocol.CameraSetting(
          .whiteBalance,
          from: 2000,
          to: 7000,
          step: 10,
          standard: 4000,
          value: 4000
        ),
      ])
      let changes = Mutex<[Float]>([])
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, .success(settings.json))
        for (name, value) in [("exposure", 250), ("gain", 200), ("whiteBalance", 5000)] {
          let request = CameraSettingRequest(name: name, value: value)
          try host.answer(.cameraSet(request), .success(CameraSettingResult(value: value).json))
        }
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        let observation = device.observe(\.iso, options: [.initial, .new]) { _, change in
          changes.withLock { $0.append(change.newValue ?? -1) }
        }
        #expect(device.isExposureModeSupported(.custom) && device.activeFormat.maxISO == 200)
        #expect(device.activeFormat.maxExposureDuration == CMTime(value: 1, timescale: 2))
        try device.lockForConfiguration()
        device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 40), iso: 900)
        #expect(device.exposureDuration == CMTime(value: 1, timescale: 40) && device.iso == 200)
        #expect(device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
        let warm = AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: 5000, tint: 0)
        let gains = device.deviceWhiteBalanceGains(for: warm)
        // Light of a lower temperature has less blue.
        #expect(gains.blueGain > gains.greenGain && gains.greenGain > gains.redGain && gains.redGain == 1)
        device.setWhiteBalanceModeLocked(with: gains)
        let actual = device.temperatureAndTintValues(for: device.deviceWhiteBalanceGains)
        #expect(abs(actual.temperature - 5000) < 1)
        device.unlockForConfiguration()
        observation.invalidate()
      }
      #expect(changes.withLock { $0 } == [10, 200])
    }

    @Test func `sets the zoom of the camera when the user moves the system slider`() async throws {
      var factors: [CGFloat] = []
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        var start = FakeHost.sessionStart()
        start.devices.cameraControls = 1
        try host.start(start)
        try host.startCamera()
        try host.answer(.cameraSettings, .success(Self.settings.json))
        let (id, request) = try host.receiveRequest()
        guard case .controlsDeclare(let declaration) = request else {
          throw FakeHostError(description: "\(request)")
        }
        #expect(declaration.controls.map(\.id) == ["zoom"] && declaration.controls[0].value == 1)
        try host.send(.reply(Reply(id: id, result: EmptyResult())))
        try host.send(
          .notification(.controlsChanged(CameraControlChange(revision: 1, control: "zoom", value: 3)))
        )
        let zoom = CameraSettingRequest(name: "zoom", value: 300)
        try host.answer(.cameraSet(zoom), .success(CameraSettingResult(value: 300).json))
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        session = AVCaptureSession()
        session?.addControl(AVCaptureSystemZoomSlider(device: device) { factors.append($0) })
      }
      #expect(factors == [3])
    }

    @Test func `follows the orientation of the machine with the rotation angle`() async throws {
      var coordinator: AVCaptureDevice.RotationCoordinator?
      var first: CGFloat?
      try await runAsyncSession { host in
        try host.start()
        try host.send(
          .notification(.sceneChanged(SceneState(phase: .active, orientation: .landscapeLeft)))
        )
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
        first = coordinator?.videoRotationAngleForHorizonLevelCapture
      }
      #expect(first == 0 && coordinator?.videoRotationAngleForHorizonLevelCapture == 270)
    }

    /// Runs a session whose camera was started, and returns the notifications.
    private func notifications(_ host: @escaping @Sendable (FakeHost) throws -> Void) async throws -> [String]
    {
      let recorder = NotificationRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession(host) { _ in
        session = try CurrentSessionTests.CaptureGraphTests.captureSession(AVCapturePhotoOutput())
        session.map(recorder.observe)
        session?.startRunning()
      }
      recorder.stop()
      #expect(session?.isRunning == false)
      return recorder.names
    }

    @Test func `reports an unplugged camera as a run-time error and a disconnected device`() async throws {
      let names = try await notifications { host in
        try host.start()
        try host.startCamera()
        try host.send(.notification(.cameraEnded(CameraEndNotice(.unplugged))))
        try host.dismiss()
      }
      #expect(names == ["didStart", "wasDisconnected", "didStop", "runtimeError deviceWasDisconnected"])
    }

    @Test func `reports a revoked permission as a run-time error`() async throws {
      let names = try await notifications { host in
        try host.start()
        try host.startCamera()
        try host.send(.notification(.permissionChanged(Permissions(camera: .denied))))
        try host.dismiss()
      }
      #expect(names == ["didStart", "didStop", "runtimeError applicationIsNotAuthorizedToUseDevice"])
    }

    @Test func `reports a camera that does not start as a run-time error`() async throws {
      let names = try await notifications { host in
        try host.start()
        try host.answer(
          .cameraStart(.latest),
          .failure(ErrorObject(code: 4002, message: "there is no camera"))
        )
        try host.dismiss()
      }
      #expect(names == ["runtimeError deviceNotConnected"])
    }

    @Test func `reports the dismissal of the session as an interruption`() async throws {
      let names = try await notifications { host in
        try host.start()
        try host.startCamera()
        try host.dismiss()
      }
      #expect(names == ["didStart", "didStop", "wasInterrupted"])
    }

    @Test func `creates no input without permission`() async throws {
      try await runAsyncSession { host in
        var start = FakeHost.sessionStart()
        start.permissions = Permissions(camera: .denied)
        try host.start(start)
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        let error = #expect(throws: AVError.self) { try AVCaptureDeviceInput(device: device) }
        #expect(error?.code == .applicationIsNotAuthorizedToUseDevice)
      }
    }
  }
}

/// Records the notifications of a capture session, which are posted on the main thread.
@MainActor
final class NotificationRecorder {
  private(set) var names: [String] = []
  private var observers: [any NSObjectProtocol] = []

  /// Records the notifications of a session and its devices.
  func observe(_ session: AVCaptureSession) {
    let all: [(Notification.Name, String)] = [
      (AVCaptureSession.didStartRunningNotification, "didStart"),
      (AVCaptureSession.didStopRunningNotification, "didStop"),
      (AVCaptureSession.wasInterruptedNotification, "wasInterrupted"),
      (AVCaptureSession.runtimeErrorNotification, "runtimeError"),
    ]
    observers = all.map { name, text in observer(name, session, text) }
    observers.append(observer(AVCaptureDevice.wasDisconnectedNotification, nil, "wasDisconnected"))
  }

  private func observer(_ name: Notification.Name, _ object: AnyObject?, _ text: String)
    -> any NSObjectProtocol
  {
    NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [weak self] notification in
      let error = (notification.userInfo?[AVCaptureSessionErrorKey] as? AVError).map { " \($0.code)" } ?? ""
      MainActor.assumeIsolated { self?.names.append(text + error) }
    }
  }

  /// Ends the recording.
  func stop() { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
}
