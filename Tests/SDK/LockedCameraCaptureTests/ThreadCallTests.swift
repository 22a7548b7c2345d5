// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExtensionProtocol
import JSONText
import LockedCameraCapture
import TestSupport
import Testing

extension CurrentSessionTests {
  /// Starts and stops the camera on threads other than the main thread.
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ThreadCallTests {
    private let camera = AVCaptureSession()
    private let queue = DispatchQueue(label: "camera")

    /// Runs `body` on the queue while the main thread waits for it. Returns whether it ended in time.
    private func runWhileMainThreadWaits(_ body: @escaping @Sendable (AVCaptureSession) -> Void) -> Bool {
      let end = DispatchSemaphore(value: 0)
      queue.async { [camera] in
        body(camera)
        end.signal()
      }
      return end.wait(timeout: .now() + .seconds(20)) == .success
    }

    @Test func `starts and stops the camera on a queue for which the main thread waits`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.cameraStop)
        try host.startCamera()
        try host.publish(luma: 5)
        try host.expect(.viewfinderPresented(frame: 1))
        try host.dismiss()
      } extension: { _ in
        #expect(runWhileMainThreadWaits { $0.startRunning() } && camera.isRunning)
        #expect(runWhileMainThreadWaits { $0.stopRunning() } && !camera.isRunning)
        #expect(runWhileMainThreadWaits { $0.startRunning() } && camera.isRunning)
      }
    }

    @Test func `delivers frames after a start on a queue while the main thread waits for events`()
      async throws
    {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 5)
        try host.expect(.viewfinderPresented(frame: 1))
        try host.dismiss()
      } extension: { _ in
        queue.async { [camera] in camera.startRunning() }
      }
    }

    @Test func `handles a notification that a waiting thread has read before its reply`() async throws {
      var states: [LockedCameraCapture.LockState] = []
      try await runAsyncSession { host in
        try host.start()
        let (id, request) = try host.receiveRequest()
        #expect(request == .cameraStart(.latest))
        let stream = CameraStream(width: FakeHost.width, height: FakeHost.height, frameRate: FrameRate(30))
        try host.send(
          HostMessage.notification(.lockChanged(.unlocked)).line
            + HostMessage.reply(Reply(id: id, .success(stream.json))).line
        )
        try host.dismiss()
      } extension: { session in
        #expect(runWhileMainThreadWaits { $0.startRunning() } && camera.isRunning)
        states.append(session.lockState)
        session.onDismissal { _, _ in states.append(session.lockState) }
      }
      #expect(states == [.locked, .unlocked])
    }

    @Test func `logs the reason if the host refuses a start on a queue`() async throws {
      try await runAsyncSession { host in
        try host.start()
        let refusal = ErrorObject(code: ProtocolErrorCode.cameraUnavailable.rawValue, message: "no camera")
        try host.answer(.cameraStart(.latest), .failure(refusal))
        try host.expect(.log(.error, "the camera did not start: no camera (4002)"))
        try host.dismiss()
      } extension: { _ in
        #expect(runWhileMainThreadWaits { $0.startRunning() } && !camera.isRunning)
      }
    }

    @Test func `ends a call on a queue if the host closes the connection`() async throws {
      try await runAsyncSession { host in
        try host.start()
        _ = try host.receiveRequest()
      } extension: { _ in
        #expect(runWhileMainThreadWaits { $0.startRunning() } && !camera.isRunning)
      }
    }
  }
}
