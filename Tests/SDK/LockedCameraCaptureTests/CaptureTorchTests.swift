// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import LockedCameraCapture
import TestSupport
import Testing

/// The torch and the flash of the camera, and settings that the camera changes by itself.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureTorchTests {
    nonisolated private static func settings(_ settings: ExtensionProtocol.CameraSetting...) -> Reply.Outcome
    {
      .success(CameraSettingsResult(settings).json)
    }

    nonisolated private static let torch = ExtensionProtocol.CameraSetting(
      .torch,
      from: 0,
      to: 1,
      standard: 0,
      value: 0
    )
    nonisolated private static let level = ExtensionProtocol.CameraSetting(
      .torchLevel,
      from: 10,
      to: 110,
      step: 10,
      standard: 50,
      value: 50
    )

    @Test func `lights the torch, and reports a brightness that the camera refuses`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, Self.settings(Self.torch, Self.level))
        try host.setCamera("torchLevel", 60)
        try host.setCamera("torch", 1)
        try host.setCamera("torch", 0)
        let tooBright = CameraSettingRequest(name: "torchLevel", value: 110)
        let refusal = ErrorObject(code: 4021, message: "torchLevel cannot be set: ioctl: EBUSY")
        try host.answer(.cameraSet(tooBright), .failure(refusal))
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        #expect(device.hasTorch && device.isTorchAvailable && device.hasFlash && device.isFlashAvailable)
        #expect(device.torchMode == .off && device.torchLevel == 0)
        #expect(device.isTorchModeSupported(.on) && !device.isTorchModeSupported(.auto))
        try device.lockForConfiguration()
        try device.setTorchModeOn(level: 0.5)
        #expect(device.isTorchActive && device.torchMode == .on && device.torchLevel == 0.5)
        // No camera has this mode.
        device.torchMode = .auto
        device.torchMode = .off
        #expect(!device.isTorchActive && device.torchLevel == 0)
        let error = #expect(throws: AVError.self) {
          try device.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
        }
        #expect(error?.code == .torchLevelUnavailable && error?.description.contains("EBUSY") == true)
        #expect(!device.isTorchActive)
        device.unlockForConfiguration()
      }
    }

    @Test func `cannot use a torch that the driver does not permit to be set`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        var torch = Self.torch
        torch.isAdjustable = false
        try host.answer(.cameraSettings, Self.settings(torch))
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        #expect(device.hasTorch && !device.isTorchAvailable && !device.isFlashAvailable)
      }
    }

    @Test func `turns off the torch before the camera stops`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, Self.settings(Self.torch))
        try host.setCamera("torch", 1)
        try host.setCamera("torch", 0)
        try host.answer(.cameraStop)
        try host.dismiss()
      } extension: { _ in
        let session = try CaptureGraphTests.captureSession(AVCapturePhotoOutput())
        session.startRunning()
        let device = try #require(AVCaptureDevice.default(for: .video))
        try device.lockForConfiguration()
        device.torchMode = .on
        session.stopRunning()
        #expect(!device.isTorchActive)
      }
    }

    @Test func `takes a photo with a flash from the sixth lit frame, and turns off the torch`()
      async throws
    {
      let recorder = PhotoRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, Self.settings(Self.torch))
        try host.setCamera("torch", 1)
        for luma in UInt8(1)...6 {
          try host.publish(luma: luma)
          if luma == 1 { try host.expect(.viewfinderPresented(frame: 1)) }
          // The extension acknowledges the frame after the photo.
          if luma == 6 { try host.setCamera("torch", 0) }
          try host.waitUntilDone(1)
        }
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        session = try CaptureGraphTests.captureSession(output)
        session?.startRunning()
        #expect(output.supportedFlashModes == [.off, .on])
        let format = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8PlanarFullRange]
        let settings = AVCapturePhotoSettings(format: format)
        settings.flashMode = .on
        output.capturePhoto(with: settings, delegate: recorder)
      }
      #expect(recorder.calls == ["begin 34x17", "will", "did", "photo", "finish nil"])
      #expect(recorder.isFlashEnabled == true)
      let photo = try #require(recorder.photo)
      #expect((photo.metadata["{Exif}"] as? [String: Any])?["Flash"] as? Int == 1)
      let pixels = try #require(photo.pixelBuffer.flatMap { CVPixelBufferGetBaseAddressOfPlane($0, 0) })
      #expect(pixels.load(as: UInt8.self) == 6)
    }

    @Test func `takes a photo without light if the camera refuses the flash`() async throws {
      let recorder = PhotoRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, Self.settings(Self.torch))
        let refusal = ErrorObject(code: 4021, message: "torch cannot be set: ioctl: EBUSY")
        try host.answer(.cameraSet(CameraSettingRequest(name: "torch", value: 1)), .failure(refusal))
        guard case .notification(.log(.error, let message)) = try host.receive() else {
          throw FakeHostError(description: "the error was not logged")
        }
        #expect(message.contains("torch was not set to 1"))
        try host.publish(luma: 1)
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        session = try CaptureGraphTests.captureSession(output)
        session?.startRunning()
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .on
        output.capturePhoto(with: settings, delegate: recorder)
      }
      #expect(recorder.calls == ["begin 34x17", "will", "did", "photo", "finish nil"])
      #expect((recorder.photo?.metadata["{Exif}"] as? [String: Any])?["Flash"] as? Int == 0)
      #expect(session?.isRunning == false)
    }

    // MARK: Settings that change

    @Test func `reads a value again that the camera changes by itself`() async throws {
      let automatic = ExtensionProtocol.CameraSetting(.automaticFocus, from: 0, to: 1, standard: 1, value: 1)
      func focus(_ value: Int) -> ExtensionProtocol.CameraSetting {
        ExtensionProtocol.CameraSetting(
          .focus,
          from: 0,
          to: 10,
          standard: 0,
          value: value,
          isAdjustable: false
        )
      }
      let (before, after) = (Self.settings(automatic, focus(2)), Self.settings(automatic, focus(7)))
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, before)
        try host.answer(.cameraSettings, after)
        try host.dismiss()
      } extension: { _ in
        let device = try #require(AVCaptureDevice.default(for: .video))
        #expect(device.lensPosition == 0.2)
        #expect(TestTimeout.waitUntil { device.lensPosition == 0.7 })
      }
    }

    @Test func `reads settings again after a start of the camera and after a change by other code`()
      async throws
    {
      func zoom(_ value: Int) -> Reply.Outcome {
        Self.settings(ExtensionProtocol.CameraSetting(.zoom, from: 100, to: 500, standard: 100, value: value))
      }
      let answers = [zoom(100), zoom(200), zoom(300)]
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraSettings, answers[0])
        try host.answer(.cameraStop)
        try host.startCamera()
        try host.answer(.cameraSettings, answers[1])
        try host.setCamera("zoom", 300)
        try host.answer(.cameraSettings, answers[2])
        try host.dismiss()
      } extension: { session in
        let device = try #require(AVCaptureDevice.default(for: .video))
        #expect(device.videoZoomFactor == 1)
        try session.stopCamera()
        // The camera is not started to read a known setting.
        #expect(device.videoZoomFactor == 1 && !CurrentSession.isCameraRunning)
        try session.startCamera()
        #expect(device.videoZoomFactor == 2)
        try session.setCamera(.zoom, to: 300)
        #expect(device.videoZoomFactor == 3)
      }
    }
  }
}

extension FakeHost {
  /// Receives the request for a setting, and grants it.
  fileprivate func setCamera(_ name: String, _ value: Int) throws {
    let result = CameraSettingResult(value: value)
    try answer(.cameraSet(CameraSettingRequest(name: name, value: value)), .success(result.json))
  }
}
