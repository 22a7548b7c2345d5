// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import LockedCameraCapture
import TestSupport
import Testing

/// The changes of a capture session while it runs.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureInputTests {
    /// Returns a new input for the camera of the session.
    private func cameraInput() throws -> AVCaptureDeviceInput {
      try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video)))
    }

    @Test func `stops the camera when its input is removed, and starts it for another input`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraStop)
        try host.startCamera()
        try host.dismiss()
      } extension: { _ in
        let session = try CaptureGraphTests.captureSession(AVCapturePhotoOutput())
        session.startRunning()
        session.removeInput(session.inputs[0])
        #expect(session.isRunning && !CurrentSession.isCameraRunning)
        // Neither an output nor an unknown input stops or starts a device.
        session.addOutput(AVCaptureVideoDataOutput())
        session.removeInput(try cameraInput())
        session.addInput(try cameraInput())
        #expect(CurrentSession.isCameraRunning)
      }
    }

    @Test
    func `stops the camera at the end of a configuration that has removed its input without another one`()
      async throws
    {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraStop)
        try host.dismiss()
      } extension: { _ in
        let session = try CaptureGraphTests.captureSession(AVCapturePhotoOutput())
        session.startRunning()
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        session.addInput(try cameraInput())
        session.commitConfiguration()
        #expect(CurrentSession.isCameraRunning)
        session.beginConfiguration()
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        session.commitConfiguration()
        #expect(CurrentSession.isCameraRunning)
        session.commitConfiguration()
        #expect(session.isRunning && !CurrentSession.isCameraRunning)
      }
    }

    @Test func `leaves a camera on that other code has started`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.dismiss()
      } extension: { session in
        try session.startCamera()
        let capture = AVCaptureSession()
        let output = AVCapturePhotoOutput()
        capture.addOutput(output)
        capture.startRunning()
        capture.removeOutput(output)
        #expect(CurrentSession.isCameraRunning)
      }
    }

    @Test func `ends a requested photo with an error when the input of the camera is removed`() async throws {
      let recorder = PhotoRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraStop)
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        let capture = try CaptureGraphTests.captureSession(output)
        session = capture
        capture.startRunning()
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: recorder)
        DispatchQueue.main.async { capture.removeInput(capture.inputs[0]) }
      }
      #expect(recorder.calls == ["begin 34x17", "will", "finish deviceNotConnected"])
      #expect(session?.inputs == [])
    }

    @Test func `passes an error to the delegate of a recording that starts before the end of another one`()
      async throws
    {
      let scratch = try ScratchDirectory()
      let (first, second) = (RecordingRecorder(), RecordingRecorder())
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        second.waitUntilFinished()
        try host.dismiss()
        first.waitUntilFinished()
      } extension: { _ in
        let output = AVCaptureMovieFileOutput()
        session = try CaptureGraphTests.captureSession(output)
        let connection = try #require(output.connection(with: .video))
        output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.jpeg], for: connection)
        session?.startRunning()
        output.startRecording(to: URL(fileURLWithPath: "\(scratch.path)/1.mov"), recordingDelegate: first)
        output.stopRecording()
        output.startRecording(to: URL(fileURLWithPath: "\(scratch.path)/2.mov"), recordingDelegate: second)
        #expect(output.outputFileURL?.lastPathComponent == "1.mov")
      }
      #expect(first.calls == ["start 1.mov", "finish 1.mov noDataCaptured false"])
      #expect(second.calls == ["finish 2.mov recordingAlreadyInProgress false"])
      #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/2.mov"))
    }
  }
}

/// A delegate that records the calls for a recording.
///
/// It is `@unchecked Sendable`, because only the main thread calls it, and the thread of the host only waits.
private final class RecordingRecorder: AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
  private let finished = DispatchSemaphore(value: 0)
  private(set) var calls: [String] = []

  func fileOutput(
    _ output: AVCaptureFileOutput,
    didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) { calls.append("start \(fileURL.lastPathComponent)") }

  func fileOutput(
    _ output: AVCaptureFileOutput,
    didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {
    let code = (error as? AVError).map { "\($0.code)" } ?? "nil"
    let isComplete = (error as? AVError)?.errorUserInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool
    calls.append("finish \(outputFileURL.lastPathComponent) \(code) \(isComplete.map { "\($0)" } ?? "nil")")
    finished.signal()
  }

  /// Waits for the end of the recording.
  func waitUntilFinished() { _ = finished.wait(timeout: .now() + 60) }
}
