// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import Synchronization
import Testing

extension CurrentSessionTests {
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

    @Test func `takes an image with the extension of the article`() throws {
      try run(MyCameraCaptureExtension.self)
      #expect(try directory.text("photo.jpg") == "a picture")
    }

    @Test func `takes an image with the extension of the demo`() throws {
      try run(LockedExtension.self)
      #expect(try directory.text("pressed.jpg") == "a picture")
    }

    @Test func `explains with the function of the article why the app was not opened`() async throws {
      StatusManager.errors.withLock { $0 = [] }
      try await runAsyncSession(camera: false) { host in
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
      let sentence =
        "Unable to open app - The app was not opened. The app is not installed, or cannot be opened."
      #expect(StatusManager.errors.withLock(\.self) == [sentence])
    }

    @Test func `provides the context that the button of the article stored to the intent in the app`()
      async throws
    {
      let state = try FakeStateRoot()
      let access = AppContextAccess(AppContainer(path: state.container))
      try await AppContextAccess.$testOverride.withValue(access) {
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

    @Test func `delivers every update to the loop of the article`() async throws {
      let state = try FakeStateRoot()
      let name = try state.migrateSession()
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
