// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Testing

typealias LaunchError = LockedCameraCaptureSession.ApplicationLaunchError

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SessionLifecycleTests {
    @Test func `reports the lock state, permissions and scene that the host sent last`() async throws {
      var seen: [String] = []
      try await runAsyncSession(camera: false) { host in
        var start = FakeHost.sessionStart()
        start.launch = LaunchOrigin(.lockScreen, control: "shutter")
        start.scene = SceneState(phase: .inactive, orientation: .landscapeLeft)
        start.permissions = Permissions(camera: .authorized, photos: .limited)
        try host.start(start)
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.send(
          .notification(.permissionChanged(Permissions(camera: .denied, microphone: .authorized)))
        )
        try host.send(
          .notification(.sceneChanged(SceneState(phase: .active, orientation: .portraitUpsideDown)))
        )
        try host.dismiss()
      } extension: { session in
        @MainActor func note() {
          let permissions = session.permissions
          seen.append(
            "\(session.lockState) \(permissions.camera) \(permissions.microphone) \(permissions.photos)"
              + " \(permissions.photosAddOnly) \(session.scenePhase) \(session.orientation)"
              + " \(AVCaptureDevice.authorizationStatus(for: .video).rawValue)"
              + "\(AVCaptureDevice.authorizationStatus(for: .audio).rawValue)"
              + "\(PHPhotoLibrary.authorizationStatus(for: .readWrite).rawValue)"
          )
        }
        #expect(session.launchReason.surface == .lockScreen)
        #expect(session.launchReason.control == "shutter")
        note()
        session.onDismissal { _, _ in note() }
      }
      #expect(
        seen == [
          "locked authorized denied limited authorized inactive landscapeLeft 324",
          "unlocked denied authorized denied denied active portraitUpsideDown 232",
        ]
      )
    }

    @Test func `reports a changed camera frame rate and the end of the camera`() async throws {
      var seen: [String] = []
      try await runAsyncSession(camera: false) { host in
        try host.start(FakeHost.sessionStart())
        try host.send(.notification(.cameraChanged(CameraChange(frameRate: .init(15, 2)))))
        try host.expect(.log(.info, "changed"))
        try host.send(.notification(.cameraEnded(CameraEndNotice(.unplugged))))
        try host.expect(.log(.info, "ended"))
        try host.dismiss()
      } extension: { session in
        let states = session.cameraState
        Task { @MainActor in
          for await state in states {
            seen.append("\(state.framesPerSecond ?? 0) \(state.endMessage ?? "-")")
            if state.endReason == .unplugged {
              session.log(.info, "ended")
            } else if state.framesPerSecond == 7.5 {
              session.log(.info, "changed")
            }
          }
        }
      }
      #expect(seen.suffix(2) == ["7.5 -", "7.5 \(CameraEndNotice(.unplugged).message)"])
    }

    @Test func `delivers requirement updates to several consumers until the session ends`() async throws {
      var followers: [Task<[CaptureRequirements], Never>] = []
      try await runAsyncSession(camera: false) { host in
        var start = FakeHost.sessionStart()
        start.deadlines = Deadlines(launch: 10, dismissal: 2, watchdog: 8)
        try host.start(start)
        let status = RequirementStatus(missing: [.captureEvents, .viewfinder], seconds: 4)
        try host.send(.notification(.requirementsChanged(status)))
        try host.expect(.log(.info, "4.0"))
        try host.send(.notification(.requirementsChanged(RequirementStatus(missing: [], seconds: nil))))
        try host.dismiss()
      } extension: { session in
        followers = [follow(session, logs: true), follow(session, logs: false)]
      }
      // Both tasks may receive the end of the session after the session has returned.
      for follower in followers {
        let requirements = await follower.value
        #expect(
          requirements.map(\.missing)
            == [[.camera, .viewfinder, .captureEvents], [.viewfinder, .captureEvents], []]
        )
        #expect(requirements.map(\.secondsLeft) == [8, 4, nil])
      }
      #expect(followers.count == 2)
    }

    /// Starts a task that returns all requirements until the session ends. With `logs`, it logs the time left of 4 seconds.
    private func follow(
      _ session: LockedCameraCaptureSession,
      logs: Bool
    ) -> Task<[CaptureRequirements], Never> {
      let requirements = session.requirements
      return Task {
        var seen: [CaptureRequirements] = []
        for await next in requirements {
          seen.append(next)
          if logs, next.secondsLeft == 4 { session.log(.info, "4.0") }
        }
        return seen
      }
    }

    @Test(arguments: [
      (4010, nil, 1, "applicationNotFound"), (4011, "timedOut", 2, "timedOut"),
      (4011, "tooManyAttempts", 2, "tooManyAttempts"), (4011, "surprise", 2, "authenticationFailed"),
      (4011, "unavailable", 2, "authenticationUnavailable"), (4012, nil, 0, "interactionRequired"),
      (4013, nil, 0, "busy"), (4014, nil, 0, "sessionEnded"), (-32601, nil, 0, "other"),
    ])
    func `maps a refusal to open the app to an Apple error code and a detail`(
      code: Int,
      reason: String?,
      errorCode: Int,
      detail: String
    ) async throws {
      var found: (LaunchError, String)?
      try await runAsyncSession(camera: false) { host in
        try host.start()
        let (id, _) = try host.receiveRequest()
        let data = reason.map { JSONValue.object(["reason": .string($0)]) }
        try host.send(.reply(Reply(id: id, .failure(ErrorObject(code: code, message: "no", data: data)))))
        try host.expect(.log(.info, "the session continues"))
        try host.dismiss()
      } extension: { session in
        Task { @MainActor in
          do { try await session.openApplication(for: NSUserActivity(activityType: "test")) } catch let error
            as LaunchError
          {
            found = (error, session.applicationLaunchFailure.map { "\($0.detail)" } ?? "")
            session.log(.info, "the session continues")
          }
        }
      }
      #expect(found?.0.errorCode == errorCode)
      #expect(found?.0.failureReason?.isEmpty == false)
      #expect(found?.1 == detail)
    }

    @Test func `rejects activities that are too large or not property lists, without sending them`()
      async throws
    {
      var errors: [String] = []
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.expect(.log(.info, "done"))
        try host.dismiss()
      } extension: { session in
        let live = NSUserActivity(activityType: "test")
        live.userInfo = ["session": session]
        let large = NSUserActivity(activityType: "test")
        large.userInfo = ["text": String(repeating: "x", count: 40_000)]
        Task { @MainActor in
          for activity in [live, large] {
            do { try await session.openApplication(for: activity) } catch { errors.append("\(error)") }
          }
          session.log(.info, "done")
        }
      }
      #expect(errors.count == 2)
      #expect(errors.first?.contains("which property lists do not support") == true)
      #expect(errors.last?.contains("more than the limit of 32768") == true)
    }

    @Test func `cancels a request immediately, and ignores its late reply`() async throws {
      var outcomes: [String] = []
      try await runAsyncSession(camera: false) { host in
        try host.start()
        let (id, request) = try host.receiveRequest()
        #expect(request == .sessionInvalidateContent)
        try host.send(.notification(.contextChanged("cancel it")))
        try host.expect(.log(.info, "cancelled"))
        try host.send(.reply(Reply(id: id, result: InvalidationResult(files: 1, bytes: 2))))
        try host.answer(.sessionInvalidateContent, .success(InvalidationResult(files: 0, bytes: 0).json))
        try host.expect(.log(.info, "again"))
        try host.dismiss()
      } extension: { session in
        let task = Task { @MainActor in
          do { try await session.invalidateSessionContent() } catch is CancellationError {
            outcomes.append("cancelled")
            session.log(.info, "cancelled")
          }
          // A separate task, because this task stays cancelled.
          Task { @MainActor in
            try await session.invalidateSessionContent()
            session.log(.info, "again")
          }
        }
        session.onAppContextChange { task.cancel() }
      }
      #expect(outcomes == ["cancelled"])
    }

    @Test func `fails pending and later requests with sessionEnded after the host closes the connection`()
      async throws
    {
      var codes: [LockedCameraCaptureError.Code] = []
      var launch: (LaunchError, String)?
      try await runAsyncSession(camera: false) { host in
        try host.start()
        _ = try host.receiveRequest()
        _ = try host.receiveRequest()
      } extension: { session in
        Task { @MainActor in
          for _ in 0..<2 {
            do { try await session.invalidateSessionContent() } catch let error as LockedCameraCaptureError {
              codes.append(error.code)
            }
          }
        }
        Task { @MainActor in
          do { try await session.openApplication(for: NSUserActivity(activityType: "test")) } catch let error
            as LaunchError
          {
            launch = (error, session.applicationLaunchFailure.map { "\($0.detail)" } ?? "")
          }
        }
      }
      #expect(codes == [.sessionEnded, .sessionEnded])
      #expect(launch?.0 == .unknown)
      #expect(launch?.1 == "sessionEnded")
    }

    @Test func `ends the connection after an unsolicited or duplicate reply`() async throws {
      let error = await #expect(throws: ExtensionFailure.self) {
        try await runAsyncSession(camera: false) { host in
          try host.start()
          let (id, _) = try host.receiveRequest()
          let reply = Reply(id: id, result: InvalidationResult(files: 0, bytes: 0))
          try host.send(HostMessage.reply(reply).line + HostMessage.reply(reply).line)
        } extension: { session in
          Task { @MainActor in try await session.invalidateSessionContent() }
        }
      }
      #expect(error?.exitCode == 70)
    }

    @Test func `ends the connection after a malformed reply, and fails the pending request`() async throws {
      var code: LockedCameraCaptureError.Code?
      var waiting: Task<Void, any Error>?
      let error = await #expect(throws: ExtensionFailure.self) {
        try await runAsyncSession(camera: false) { host in
          try host.start()
          let (id, _) = try host.receiveRequest()
          try host.send(.reply(Reply(id: id, .success(["files": "many"]))))
        } extension: { session in
          waiting = Task { @MainActor in
            do { try await session.invalidateSessionContent() } catch let error as LockedCameraCaptureError {
              code = error.code
            }
          }
        }
      }
      #expect(error?.exitCode == 70)
      try await waiting?.value
      #expect(code == .sessionEnded)
    }

    @Test
    func `has the extension role only in the process that received the descriptors, not in its children`() {
      #expect(ExecutionRole.hasHostDescriptor(names: "host-in:host-out", processID: "7", own: 7))
      #expect(!ExecutionRole.hasHostDescriptor(names: "host-in:host-out", processID: "7", own: 8))
      #expect(!ExecutionRole.hasHostDescriptor(names: "other", processID: "7", own: 7))
      #expect(!ExecutionRole.hasHostDescriptor(names: nil, processID: nil, own: 7))
      #expect(ExecutionRole.current == .app)
    }
  }
}
