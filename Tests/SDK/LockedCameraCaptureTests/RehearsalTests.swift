// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import LockedCameraCapture

/// What a program that was started ahead does while it waits.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct RehearsalTests {
  private let start = HostMessage.request(id: .integer(1), .sessionStart(FakeHost.sessionStart())).line

  /// An extension that nobody may make before there is a session.
  private struct Shy: LockedCameraCaptureExtension {
    @MainActor static var made = 0

    init() { Self.made += 1 }

    var body: some LockedCameraCaptureExtensionScene {
      Self.made += 1
      return LockedCameraCaptureUIScene { _ in Viewfinder().onCameraCaptureEvent { _ in } }
    }
  }

  /// An extension whose scene is made of its own kind.
  private struct Endless: LockedCameraCaptureExtension {
    struct Scene: LockedCameraCaptureExtensionScene {
      var body: Scene { self }
    }

    var body: Scene { Scene() }
  }

  @Test func `only who is left waiting rehearses, once`() throws {
    let waiting = try FakeHost()
    var times = 0
    var fault: (any Error)?
    _ = try LockedCameraCaptureSession(try waiting.channel(camera: false)) {
      times += 1
      // Until now the host has said nothing.
      do { try waiting.send(start) } catch { fault = error }
    }
    #expect(times == 1 && fault == nil)

    let wanted = try FakeHost()
    try wanted.send(start)
    _ = try LockedCameraCaptureSession(try wanted.channel(camera: false)) { times += 1 }
    #expect(times == 1)
  }

  @Test func `a rehearsal makes nothing that the author wrote, and ends`() {
    Rehearsal.perform(of: Shy.self)
    #expect(Shy.made == 0)
    // It is enough that this comes back.
    Rehearsal.perform(of: Endless.self)
  }
}
