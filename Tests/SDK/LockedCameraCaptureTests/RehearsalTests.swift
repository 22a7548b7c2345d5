// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import LockedCameraCapture

/// The work of a prewarmed program while it waits for a session.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct RehearsalTests {
  private let start = HostMessage.request(id: .integer(1), .sessionStart(FakeHost.sessionStart())).line

  /// An extension that must not be created before its session starts.
  private struct Shy: LockedCameraCaptureExtension {
    @MainActor static var made = 0

    init() { Self.made += 1 }

    var body: some LockedCameraCaptureExtensionScene {
      Self.made += 1
      return LockedCameraCaptureUIScene { _ in Viewfinder().onCameraCaptureEvent { _ in } }
    }
  }

  /// An extension whose scene has a body of its own type.
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
      // At this point, the host has not sent a message.
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
    // The test passes if this call returns.
    Rehearsal.perform(of: Endless.self)
  }
}
