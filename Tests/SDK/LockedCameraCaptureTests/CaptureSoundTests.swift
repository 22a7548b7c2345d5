// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Synchronization
import Testing

extension FakeHost {
  /// Sends an event of a remote button.
  fileprivate func sendRemotePress(_ phase: CapturePhase = .began, id: Int) throws {
    try send(.notification(.captureEvent(CaptureEvent(.primary, phase, from: .remote, id: id))))
  }

  /// Receives a request for a sound, and replies whether the sound was played.
  fileprivate func expectSound(_ event: Int, _ sound: CaptureSound, played: Bool = true) throws {
    try answer(
      .capturePlaySound(SoundRequest(event: event, sound)),
      .success(SoundResult(played: played).json)
    )
  }
}

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureSoundTests {
    @Test func `disables the default sound while a view or the process requests it`() async throws {
      defer { AVCaptureEventInteraction.defaultCaptureSoundDisabled = false }
      var isSilent = false
      try await runAsyncSession(camera: false) { host in
        try host.start()
        for isDisabled in [false, true] {
          try host.answer(.captureSubscribe(defaultSoundDisabled: isDisabled))
          try host.send(.notification(.contextChanged("next")))
        }
        // The default sound stays disabled while one of the two reasons remains, so the extension sends
        // nothing in between.
        for _ in 0..<2 { try host.send(.notification(.contextChanged("next"))) }
        try host.answer(.captureSubscribe(defaultSoundDisabled: false))
        try host.dismiss()
      } extension: { session in
        try EmptyView()
          .onCameraCaptureEvent(defaultSoundDisabled: isSilent) { _ in }
          .appear(in: session)
        var steps = [
          { isSilent = true }, { AVCaptureEventInteraction.defaultCaptureSoundDisabled = true },
          { isSilent = false }, { AVCaptureEventInteraction.defaultCaptureSoundDisabled = false },
        ]
        session.onAppContextChange { steps.removeFirst()() }
      }
      #expect(!isSilent)
    }

    @Test func `does not disable the default sound for a disabled interaction`() async throws {
      let isEnabled = Mutex(true)
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe(defaultSoundDisabled: true))
        try host.send(.notification(.contextChanged("disable")))
        try host.answer(.captureSubscribe(defaultSoundDisabled: false))
        try host.dismiss()
      } extension: { session in
        let loud = AVCaptureEventInteraction { _ in }
        try EmptyView()
          .onCameraCaptureEvent(
            isEnabled: isEnabled.withLock(\.self),
            defaultSoundDisabled: true,
            primaryAction: { _ in },
            secondaryAction: { _ in }
          )
          .interaction(loud)
          .appear(in: session)
        session.onAppContextChange { isEnabled.withLock { $0 = false } }
      }
    }

    @Test func `plays a custom sound only for remote events with the default sound disabled`() async throws {
      var played: [Bool] = []
      var shouldPlay: [Bool] = []
      var isSilent = true
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe(defaultSoundDisabled: true))
        try host.sendRemotePress(id: 1)
        try host.expectSound(1, .standard(.cameraShutter))
        try host.sendRemotePress(.ended, id: 2)
        try host.expectSound(2, .standard(.cameraShutter), played: false)
        // The extension requests no sound for the following events.
        try host.press()
        try host.sendRemotePress(.cancelled, id: 4)
        try host.send(.notification(.contextChanged("loud")))
        try host.answer(.captureSubscribe(defaultSoundDisabled: false))
        try host.sendRemotePress(id: 5)
        try host.dismiss()
      } extension: { session in
        try EmptyView()
          .onCameraCaptureEvent(defaultSoundDisabled: isSilent) { event in
            shouldPlay.append(event.shouldPlaySound)
            played.append(event.play(.cameraShutter))
          }
          .appear(in: session)
        session.onAppContextChange { isSilent = false }
      }
      #expect(shouldPlay == [true, true, false, false, false])
      #expect(played == [true, false, false, false, false])
    }

    @Test func `plays no sound on another thread, or if the host refuses`() async throws {
      let elsewhere = Mutex<Bool?>(nil)
      var played: Bool?
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.captureSubscribe(defaultSoundDisabled: true))
        try host.sendRemotePress(id: 1)
        let refusal = ErrorObject(code: 4003, message: "no")
        try host.answer(
          .capturePlaySound(SoundRequest(event: 1, .standard(.endVideoRecording))),
          .failure(refusal)
        )
        try host.dismiss()
      } extension: { session in
        try EmptyView()
          .onCameraCaptureEvent(defaultSoundDisabled: true) { event in
            let thread = try HostThread { elsewhere.withLock { $0 = event.play(.beginVideoRecording) } }
            try thread.join()
            played = event.play(.endVideoRecording)
          }
          .appear(in: session)
      }
      #expect(elsewhere.withLock(\.self) == false && played == false)
    }

    @Test func `accepts only files in the extension bundle as sounds`() async throws {
      let directory = try TemporaryDirectory()
      let bundle = "\(directory.path)/bundle"
      try FileSystem.makeDirectories("\(bundle)/sounds")
      for path in ["\(bundle)/sounds/click 1.wav", "\(directory.path)/bundle.wav"] {
        try FileSystem.replaceContents(path, with: [0])
      }
      let (outside, inside) = (URL(filePath: directory.path), URL(filePath: bundle))
      let wrong = [
        inside, inside.appending(path: "sounds"), inside.appending(path: "none.wav"),
        inside.appending(path: "../bundle.wav"), outside.appending(path: "bundle.wav"),
        try #require(URL(string: "https://example.org\(bundle)/sounds/click%201.wav")),
      ]
      var played = false
      var refused = 0
      try await runAsyncSession(camera: false) { host in
        var start = FakeHost.sessionStart()
        start.directories.extension = bundle
        try host.start(start)
        try host.answer(.captureSubscribe(defaultSoundDisabled: true))
        try host.sendRemotePress(id: 1)
        try host.expectSound(1, .file("sounds/click 1.wav"))
        try host.dismiss()
      } extension: { session in
        for url in wrong {
          do { _ = try AVCaptureEventSound(url: url) } catch let error as LockedCameraCaptureError {
            if error.code == .invalidName,
              "\(error)".contains("is not a regular file in the extension's bundle")
            {
              refused += 1
            }
          }
        }
        let sound = try AVCaptureEventSound(url: session.bundleURL.appending(path: "sounds/click 1.wav"))
        try EmptyView()
          .onCameraCaptureEvent(defaultSoundDisabled: true) { event in played = event.play(sound) }
          .appear(in: session)
      }
      #expect(played && refused == wrong.count)
    }
  }
}
