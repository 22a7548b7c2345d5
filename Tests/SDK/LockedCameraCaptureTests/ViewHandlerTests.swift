// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import JSONText
import Testing

@testable import LockedCameraCapture

extension CurrentSessionTests {
  /// Tests of what a session keeps of views and objects that no longer exist.
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ViewHandlerTests {
    /// A view that receives contacts while the screen is unlocked.
    private struct Touchable: View {
      @Environment(\.lockState) private var lockState

      var body: some View {
        if lockState == .unlocked { EmptyView().onPointerEvent { _ in } }
      }
    }

    @Test func `removes the pointer handler of a view that has left the tree`() async throws {
      var counts: [Int] = []
      try await runAsyncSession(camera: false) { host in
        try host.start()
        for round in 1...3 {
          try host.send(.notification(.lockChanged(.unlocked)))
          // The session subscribes once.
          if round == 1 { try host.answer(.pointerSubscribe) }
          try host.send(.notification(.contextChanged("present")))
          try host.send(.notification(.lockChanged(.locked)))
          try host.send(.notification(.contextChanged("absent")))
        }
        try host.dismiss()
      } extension: { session in
        try Touchable().appear(in: session)
        let runtime = session.runtime
        session.onAppContextChange {
          counts.append(runtime.handlers.viewPointers.count + runtime.handlers.pointer.count)
        }
      }
      #expect(counts == [1, 0, 1, 0, 1, 0])
    }

    @Test func `removes the observers that no longer exist when another one is added`() async throws {
      var count = 0
      try await runAsyncSession { host in
        try host.start()
        try host.dismiss()
      } extension: { session in
        let device = try #require(AVCaptureDevice.default(for: .video))
        for _ in 0..<100 { _ = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil) }
        count = session.runtime.handlers.observations.count
      }
      #expect(count == 1)
    }
  }
}
