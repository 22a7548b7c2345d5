// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockedCameraCapture
import TestSupport
import Testing

extension CurrentSessionTests {
  @MainActor @Suite struct DocumentedCodeTests {
    /// Returns the text of a file of the package.
    private func text(_ path: String) throws -> String {
      String(decoding: try FileSystem.contents("\(PackageDirectory.path)/\(path)") ?? [], as: UTF8.self)
    }

    @Test(arguments: [("UseViews", 2), ("AddCameraControls", 1), ("WriteExtensions", 2)])
    func `contains the code of each article exactly`(article: String, count: Int) throws {
      let document = try text("Sources/Darkroom.docc/Guides/\(article).md")
      // Code that needs all of Foundation is in separate programs; see `SourceCompatibilityTests`.
      let compiled =
        try text("Tests/SDK/LockedCameraCaptureTests/DocumentedCode.swift")
        + text("Tests/Fixtures/Programs/ErrorTexts.swift")
      let blocks = document.split(separator: "import LockedCameraCapture\n\n").dropFirst()
      #expect(blocks.count == count)
      for block in blocks {
        let code = try #require(block.split(separator: "```").first)
        #expect(compiled.contains(code))
      }
    }

    @Test func `draws the zoom of the article camera unless the frame is covered`() async throws {
      try await runAsyncSession(preview: true) { host in
        var start = FakeHost.sessionStart()
        start.devices.cameraControls = 4
        try host.start(start)
        try host.startCamera()
        let (id, request) = try host.receiveRequest()
        guard case .controlsDeclare(let declaration) = request else {
          throw FakeHostError(description: "\(request)")
        }
        #expect(declaration.controls.map(\.id) == ["zoom", "filter"])
        try host.send(.reply(Reply(id: id, result: EmptyResult())))
        try host.send(
          .notification(.controlsChanged(CameraControlChange(revision: 1, control: "zoom", value: 3)))
        )
        // The action runs later on the main queue; the host sends frames until its effect is visible.
        var sequence: UInt64 = 0
        func shows(_ isShown: (([UInt8]) -> Bool)) throws -> Bool {
          for _ in 0..<1000 {
            sequence += 1
            try host.publish(luma: 60)
            try host.waitUntilDone(1)
            if isShown(try host.viewfinderPlanes(sequence).luma) { return true }
          }
          return false
        }
        #expect(try shows { $0[11] != 60 && $0[12] == 60 })
        try host.send(.notification(.controlsAppearance(.fullscreen)))
        #expect(try shows { $0[0] == 60 })
        try host.dismiss()
      } extension: { session in
        try AdjustableCamera(session: session).appear(in: session)
      }
    }

    @Test func `draws the border of the article view while locked, and handles a press`() async throws {
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.publish(luma: 60)
        #expect(try host.viewfinderPlanes(1).luma.first == PreviewColor.red.luma)
        try host.press()
        try host.expect(.log(.info, "frame 1"))
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.send(.notification(.sceneChanged(SceneState(phase: .inactive))))
        try host.answer(.captureUnsubscribe)
        try host.expect(.log(.debug, "active, then inactive"))
        try host.publish(luma: 61)
        #expect(try host.viewfinderPlanes(2).luma.first == 61)
        try host.dismiss()
      } extension: { session in
        try CameraView(session: session).appear(in: session)
      }
    }

    @Test func `plays different sounds at the start and the end of the article recording`() async throws {
      let film = Film()
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.answer(.captureSubscribe(defaultSoundDisabled: true))
        for (id, sound) in [(1, StandardSound.beginVideoRecording), (2, .endVideoRecording)] {
          try host.send(.notification(.captureEvent(CaptureEvent(.primary, .began, from: .remote, id: id))))
          let request = SoundRequest(event: id, .standard(sound))
          try host.answer(.capturePlaySound(request), .success(SoundResult(played: true).json))
        }
        try host.press()
        try host.dismiss()
      } extension: { session in
        try FilmView(film: film).appear(in: session)
      }
      #expect(film.isRecording)
    }
  }
}
