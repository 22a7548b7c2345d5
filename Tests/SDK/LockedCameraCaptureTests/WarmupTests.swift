// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import LockedCameraCapture

/// The work of a prewarmed program while it waits for a session.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct WarmupTests {
  private let start = HostMessage.request(id: .integer(1), .sessionStart(FakeHost.sessionStart())).line

  /// An extension that must not be created before its session starts.
  private struct CountingExtension: LockedCameraCaptureExtension {
    @MainActor static var evaluations = 0

    init() { Self.evaluations += 1 }

    var body: some LockedCameraCaptureExtensionScene {
      Self.evaluations += 1
      return LockedCameraCaptureUIScene { _ in
        Self.evaluations += 1
        return RecursiveView()
      }
    }
  }

  /// A view whose body has its own type.
  private struct RecursiveView: CaptureView {
    init() { CountingExtension.evaluations += 1 }

    var body: RecursiveView {
      CountingExtension.evaluations += 1
      return self
    }
  }

  /// An extension whose scene has a body of its own type.
  private struct RecursiveExtension: LockedCameraCaptureExtension {
    struct Scene: LockedCameraCaptureExtensionScene {
      var body: Scene { self }
    }

    var body: Scene { Scene() }
  }

  @Test func `warms up once, and only while no message from the host is pending`() throws {
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

  @Test func `warms up without running code of the author, and terminates`() {
    Warmup.perform(of: CountingExtension.self)
    #expect(CountingExtension.evaluations == 0)
    // The test passes if this call returns.
    Warmup.perform(of: RecursiveExtension.self)
  }
}
