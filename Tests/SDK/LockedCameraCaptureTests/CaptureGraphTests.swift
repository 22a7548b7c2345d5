// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import LockedCameraCapture
import Testing

/// The inputs and outputs of a capture session, with a host that is written according to the protocol.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureGraphTests {
    /// Returns a capture session with the camera and an output.
    static func captureSession(_ output: AVCaptureOutput) throws -> AVCaptureSession {
      let session = AVCaptureSession()
      let device = try #require(AVCaptureDevice.default(for: .video))
      session.addInput(try AVCaptureDeviceInput(device: device))
      session.addOutput(output)
      return session
    }

    @Test
    func `delivers a photo with all delegate methods in order, and before the end of a dismissed session`()
      async throws
    {
      let recorder = PhotoRecorder()
      let output = AVCapturePhotoOutput()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 10)
        try host.dismiss()
        // A host keeps the connection until the extension exits.
        recorder.waitUntilFinished()
      } extension: { _ in
        session = try Self.captureSession(output)
        session?.startRunning()
        output.connection(with: .video)?.videoRotationAngle = 90
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: recorder)
      }
      #expect(recorder.calls == ["begin 34x17", "will", "did", "photo", "finish nil"])
      let file = try #require(recorder.file)
      #expect(file.starts(with: [0xFF, 0xD8, 0xFF, 0xE1]))
      #expect(recorder.orientation == 6)
    }

    @Test func `passes a photo without a file and the error if there is no encoder`() async throws {
      let recorder = PhotoRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 10)
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        session = try Self.captureSession(output)
        session?.startRunning()
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
        output.capturePhoto(with: settings, delegate: recorder)
      }
      #expect(
        recorder.calls == ["begin 34x17", "will", "did", "photo encoderNotFound", "finish encoderNotFound"]
      )
      #expect(recorder.file == nil)
    }

    @Test func `reports an error for a photo that is requested after the dismissal, without a frame`()
      async throws
    {
      let recorder = PhotoRecorder()
      var capture: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.dismiss()
        recorder.waitUntilFinished()
      } extension: { session in
        let output = AVCapturePhotoOutput()
        capture = try Self.captureSession(output)
        capture?.startRunning()
        session.onDismissal { _, _ async in
          output.capturePhoto(with: AVCapturePhotoSettings(), delegate: recorder)
          for _ in 0..<1000 where recorder.calls.count < 3 { await Task.yield() }
        }
      }
      #expect(capture?.isInterrupted == true)
      #expect(recorder.calls == ["begin 34x17", "will", "finish sessionWasInterrupted"])
    }

    @Test func `reports an error to the photo delegate if the session does not run`() async throws {
      let recorder = PhotoRecorder()
      try await runAsyncSession { host in
        try host.start()
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        _ = try Self.captureSession(output)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: recorder)
      }
      #expect(recorder.calls == ["finish sessionNotRunning"])
    }

    @Test func `passes frames to the delegate of a video data output without a copy`() async throws {
      let reader = FrameReader()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        for luma in UInt8(1)...UInt8(FakeHost.slots + 1) {
          try host.publish(luma: luma)
          try host.waitUntilDone(1)
          reader.wait(for: Int(luma))
        }
        try host.dismiss()
      } extension: { _ in
        let output = AVCaptureVideoDataOutput()
        output.alwaysDiscardsLateVideoFrames = false
        output.setSampleBufferDelegate(reader, queue: DispatchQueue(label: "frames"))
        session = try Self.captureSession(output)
        session?.startRunning()
      }
      let frames = reader.frames
      #expect(frames.map(\.luma) == [1, 2, 3, 4, 5])
      // The ring has four slots, so the fifth frame is where the first one was.
      #expect(frames[4].address == frames[0].address && frames[1].address != frames[0].address)
      #expect(session?.isRunning == false)
    }

    @Test func `starts on a queue while the main thread waits for the queue`() async throws {
      var isRunning = false
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.dismiss()
      } extension: { _ in
        let queue = DispatchQueue(label: "session")
        let session = try Self.captureSession(AVCapturePhotoOutput())
        queue.async { session.startRunning() }
        isRunning = queue.sync { session.isRunning }
      }
      #expect(isRunning)
    }

    @Test func `connects inputs and outputs, and rejects a second camera and an output of another session`()
      async throws
    {
      try await runAsyncSession { host in
        try host.start()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        let session = try Self.captureSession(output)
        let device = try #require(AVCaptureDevice.default(.external, for: .video, position: .back))
        #expect(device == AVCaptureDevice.default(for: .video))
        #expect(device.activeFormat.formatDescription.dimensions == CMVideoDimensions(width: 34, height: 17))
        #expect(AVCaptureDevice.default(for: .audio) == nil)
        let second = try AVCaptureDeviceInput(device: device)
        #expect(!session.canAddInput(second))
        #expect(!AVCaptureSession().canAddOutput(output))
        #expect(!session.canSetSessionPreset(.hd1920x1080) && session.canSetSessionPreset(.photo))
        #expect(session.connections.count == 1)
        session.removeInput(session.inputs[0])
        #expect(session.connections.isEmpty && session.canAddInput(second))
        session.removeOutput(output)
        #expect(AVCaptureSession().canAddOutput(output))
      }
    }
  }
}

/// A delegate that records its calls.
///
/// It is `@unchecked Sendable`, because only the main thread calls it, and the thread of the host only waits.
final class PhotoRecorder: AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  private let finished = DispatchSemaphore(value: 0)
  private(set) var calls: [String] = []
  private(set) var file: Data?
  private(set) var orientation: Int?
  /// The last photo.
  private(set) var photo: AVCapturePhoto?
  /// The photo with the samples of a sensor.
  private(set) var rawPhoto: AVCapturePhoto?
  private(set) var isFlashEnabled: Bool?

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    calls.append("begin \(resolvedSettings.photoDimensions.width)x\(resolvedSettings.photoDimensions.height)")
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { calls.append("will") }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { calls.append("did") }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    calls.append("photo" + ((error as? AVError).map { " \($0.code)" } ?? ""))
    file = photo.fileDataRepresentation()
    orientation = photo.metadata["Orientation"] as? Int
    if photo.isRawPhoto { rawPhoto = photo }
    (self.photo, isFlashEnabled) = (photo, photo.resolvedSettings.isFlashEnabled)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    calls.append("finish \((error as? AVError).map { "\($0.code)" } ?? "nil")")
    finished.signal()
  }

  /// Waits for the last call for a photo.
  func waitUntilFinished() { _ = finished.wait(timeout: .now() + 60) }
}

/// A delegate that records the first sample of each frame and its address.
final class FrameReader: AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  private let lock = NSCondition()
  private var list: [(luma: UInt8, address: Int)] = []

  var frames: [(luma: UInt8, address: Int)] { lock.withLock { list } }

  /// Waits until a number of frames was received.
  func wait(for count: Int) {
    lock.withLock {
      let limit = Date(timeIntervalSinceNow: 60)
      while list.count < count, lock.wait(until: limit) {}
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer),
      let base = CVPixelBufferGetBaseAddressOfPlane(pixels, 0)
    else { return }
    lock.withLock {
      list.append((base.load(as: UInt8.self), Int(bitPattern: base)))
      lock.broadcast()
    }
  }
}
