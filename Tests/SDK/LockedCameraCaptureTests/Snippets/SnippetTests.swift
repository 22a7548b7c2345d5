// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import Synchronization
import Testing

extension ProcessSession {
  @MainActor @Suite struct SnippetTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Runs an extension, and presses and releases its button once.
    private func run(_ type: (some LockedCameraCaptureExtension).Type) throws {
      let (host, path) = (try FakeHost(), directory.path)
      let thread = try HostThread {
        try host.start(FakeHost.sessionStart(directory: path))
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.press()
        try host.send(.notification(.captureEvent(CaptureEvent(.primary, .ended))))
        try host.dismiss()
      }
      let session = try LockedCameraCaptureSession(try host.channel())
      let code = try session.show(type)
      try thread.join()
      #expect(code == 0)
    }

    @Test func `the article's extension takes a picture`() throws {
      try run(MyCameraCaptureExtension.self)
      #expect(try directory.text("photo.jpg") == "a picture")
    }

    @Test func `the demo's extension takes a picture`() throws {
      try run(LockedExtension.self)
      #expect(try directory.text("pressed.jpg") == "a picture")
    }

    @Test func `the article's function says in words why the app was not opened`() async throws {
      StatusManager.errors.withLock { $0 = [] }
      try await conversation(camera: false) { host in
        try host.start()
        let (id, request) = try host.receiveRequest()
        let type = "org.darkroom.LockedCameraCapture"
        #expect(
          request
            == .sessionOpenApplication(
              UserActivity(activityType: type, userInfo: ["info": .string("picture")])
            )
        )
        try host.send(.reply(Reply(id: id, error: .applicationNotFound, "there is none")))
        try host.expect(.log(.info, "done"))
        try host.dismiss()
      } extension: { session in
        let task = launchApp(with: session, info: "picture")
        Task { @MainActor in
          await task.value
          session.log(.info, "done")
        }
      }
      let sentence = "Unable to open app - The app was not opened. It is not installed, or cannot be opened."
      #expect(StatusManager.errors.withLock(\.self) == [sentence])
    }

    @Test func `the article's intent finds in the app what its button has stored`() async throws {
      let state = try FakeState()
      let access = AppContextAccess(AppContainer(path: state.container))
      try await AppContextAccess.$chosen.withValue(access) {
        var button = ChangeDirectionButton(direction: .rear)
        await button.press()
        #expect(try await MyAppCaptureIntent.appContext == MyAppContext(cameraDirection: .front))
        _ = try await MyAppCaptureIntent().perform()
        #expect(openedCameras.withLock(\.self) == [.front])
        try await AppCaptureIntent.updateAppContext(AppCaptureContext(cameraPosition: "front"))
        let model = DemoModel(settings: ["cameraPosition": "tele"])
        await model.updateFromAppContext()
        #expect(model.cameraPosition == "front")
        try await AppCaptureIntent.updateAppContext(nil)
        await model.updateFromAppContext()
        #expect(model.cameraPosition == "tele")
      }
    }

    @Test func `the article's loop sees every update`() async throws {
      let state = try FakeState()
      let name = try state.handOver()
      let manager = state.manager
      var updates: [LockedCameraCaptureManager.SessionContentUpdate] = []
      try await processContent(of: manager) { update in
        updates.append(update)
        if updates.count == 1 { try await manager.invalidateSessionContent(at: state.url(name)) }
        return updates.count < 2
      }
      #expect(updates == [.initial(urls: [state.url(name)]), .removed(url: state.url(name))])
    }
  }
}
