// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockedCameraCapture
import Testing

/// Records events of views.
@MainActor
final class LineRecorder {
  var lines: [String] = []
}

/// A view that reads the environment and contains other views.
private struct PhaseView: View {
  @Environment(\.scenePhase) var scenePhase
  @Environment(\.orientation) private var orientation
  @Environment(\.lockState) private var lockState
  let recorder: LineRecorder

  var body: some View {
    if scenePhase == .active {
      EmptyView().onAppear { recorder.lines.append("active \(orientation) \(lockState)") }
    } else {
      EmptyView().onAppear { recorder.lines.append("not active") }
    }
    EmptyView()
      .onChange(of: scenePhase) { old, new in recorder.lines.append("\(old) to \(new)") }
      .onChange(of: lockState) { recorder.lines.append("\(lockState)") }
  }
}

/// A view that overrides an environment value of a nested view, as in Apple's demonstration.
private struct NestedPhaseViews: CaptureView {
  let recorder: LineRecorder

  var body: some CaptureView {
    PhaseView(recorder: recorder)
    PhaseView(recorder: recorder).environment(\.scenePhase, .inactive)
  }
}

/// A view with state, which it binds to another view.
private struct CountingView: View {
  @State private var count = 0
  let recorder: LineRecorder

  var body: some View {
    CountedView(count: $count)
      .onAppear { count += 1 }
      .onChange(of: count) { old, new in recorder.lines.append("\(old) to \(new)") }
  }
}

/// A view that changes the state of another view.
private struct CountedView: View {
  @Binding var count: Int
  @Environment(\.lockState) private var lockState

  var body: some View {
    EmptyView().onChange(of: lockState) { count += 10 }
  }
}

/// The key of a custom environment value.
private struct CaptionKey: EnvironmentKey {
  static let defaultValue: String? = "none"
}

extension EnvironmentValues {
  /// The caption of the views below, or `nil` for none.
  fileprivate var caption: String? {
    get { self[CaptionKey.self] }
    set { self[CaptionKey.self] = newValue }
  }
}

/// A view that reads the caption.
private struct CaptionView: View {
  @Environment(\.caption) private var caption
  let recorder: LineRecorder

  var body: some View {
    EmptyView()
      .onAppear { recorder.lines.append(caption ?? "nil") }
      .onDisappear { recorder.lines.append("gone") }
  }
}

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ViewTests {
    @Test func `changes the state of a view through a binding in another view`() async throws {
      let recorder = LineRecorder()
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.send(.notification(.lockChanged(.locked)))
        try host.dismiss()
      } extension: { session in
        try CountingView(recorder: recorder).appear(in: session)
      }
      #expect(recorder.lines == ["1 to 11", "11 to 21"])
    }

    @Test func `reads a custom environment value from the nearest view that sets it`()
      async throws
    {
      let recorder = LineRecorder()
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.dismiss()
      } extension: { session in
        try CaptionView(recorder: recorder).appear(in: session)
        try CaptionView(recorder: recorder).environment(\.caption, "inner").environment(\.caption, "outer")
          .appear(in: session)
        try CaptionView(recorder: recorder).environment(\.caption, nil).appear(in: session)
      }
      #expect(recorder.lines == ["none", "inner", "nil", "gone", "gone", "gone"])
    }

    @Test func `reads environment values as the host or an enclosing view sets them`() async throws {
      let recorder = LineRecorder()
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.send(.notification(.sceneChanged(SceneState(phase: .background))))
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.dismiss()
      } extension: { session in
        try NestedPhaseViews(recorder: recorder).appear(in: session)
      }
      #expect(
        recorder.lines == [
          "active portrait locked", "not active", "not active", "active to background", "unlocked",
          "unlocked",
        ]
      )
    }

    @Test func `is in the background if the view is not shown`() {
      let view = PhaseView(recorder: LineRecorder())
      #expect(view.scenePhase == .background)
    }

    @Test func `passes the session to a scene in the form of Apple, and shows its view`() async throws {
      struct Extension: LockedCameraCaptureExtension {
        @MainActor static var seen: LockedCameraCaptureSession?
        var body: some LockedCameraCaptureExtensionScene {
          let scene = LockedCameraCaptureUIScene { session in
            EmptyView().onAppear { Self.seen = session }
          }
          #expect(scene.session === LockedCameraCaptureUIScene { _ in EmptyView() }.session)
          return scene
        }
      }
      let fake = try FakeHost()
      let thread = try HostThread {
        try fake.start()
        try fake.dismiss()
      }
      let session = try LockedCameraCaptureSession(try fake.channel(camera: false))
      let code = try session.show(Extension.self)
      try thread.join()
      #expect(code == 0)
      #expect(Extension.seen === session)
    }

    @Test func `accepts the capture extension point under both names, and rejects others`()
      async throws
    {
      struct Plain: LockedCameraCaptureExtension {
        var body: some LockedCameraCaptureExtensionScene { LockedCameraCaptureUIScene { _ in EmptyView() } }
      }
      struct Bound: LockedCameraCaptureExtension {
        @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint {
          Identifier("com.apple.securecapture")
        }
        var body: some LockedCameraCaptureExtensionScene { LockedCameraCaptureUIScene { _ in EmptyView() } }
      }
      struct Elsewhere: LockedCameraCaptureExtension {
        var extensionPoint: AppExtensionPoint {
          AppExtensionPoint.Identifier(host: "org.example.host", name: "tools")
        }
        var body: some LockedCameraCaptureExtensionScene { LockedCameraCaptureUIScene { _ in EmptyView() } }
      }
      #expect(Plain().extensionPoint == .capture)
      #expect(Bound().extensionPoint == .capture)
      #expect(try AppExtensionPoint(identifier: "org.darkroom.securecapture") == .capture)
      let error = #expect(throws: LockedCameraCaptureError.self) {
        try AppExtensionPoint(identifier: "com.example.widgets")
      }
      #expect(error?.code == .refused && error?.description.contains("com.example.widgets") == true)
      #expect(try await code(of: Bound.self) == 0)
      #expect(try await code(of: Elsewhere.self) == 1)
    }

    /// Returns the exit code of an extension that is dismissed immediately after its start.
    private func code(of type: (some LockedCameraCaptureExtension).Type) async throws -> Int32 {
      let fake = try FakeHost()
      let thread = try HostThread {
        try fake.start()
        try? fake.dismiss()
      }
      let session = try LockedCameraCaptureSession(try fake.channel(camera: false))
      let code = try session.show(type)
      try thread.join()
      return code
    }

    @Test func `exits with code 1 and a log message if a scene cannot be shown`() async throws {
      struct Trouble: Error {}
      struct Extension: LockedCameraCaptureExtension {
        var body: some LockedCameraCaptureExtensionScene {
          LockedCameraCaptureUIScene { _ in EmptyView().onAppear { throw Trouble() } }
        }
      }
      let fake = try FakeHost()
      let thread = try HostThread {
        try fake.start()
        try fake.expect(.log(.error, "the scene could not be shown: Trouble()"))
      }
      let session = try LockedCameraCaptureSession(try fake.channel(camera: false))
      let code = try session.show(Extension.self)
      try thread.join()
      #expect(code == 1)
    }

    @Test func `draws overlays onto the camera frame in the viewfinder`() async throws {
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 50)
        let first = try host.viewfinderPlanes(1)
        var expected = [UInt8](repeating: 50, count: 34 * 17)
        for row in 3..<7 { for column in 5..<9 { expected[row * 34 + column] = 255 } }
        for column in 0..<34 { expected[16 * 34 + column] = 76 }
        #expect(first.luma == expected)
        #expect(first.blue.filter { $0 != 128 }.count == 17)
        #expect(first.red.suffix(17).allSatisfy { $0 == 255 })
        // One pass through the ring, so that a used slot is drawn into again.
        for number in 2...5 {
          try host.publish(luma: UInt8(50 + number))
          let next = try host.viewfinderPlanes(UInt64(number))
          #expect(next.luma.first == UInt8(50 + number))
        }
        try host.dismiss()
      } extension: { session in
        try ZStack {
          Viewfinder()
          Overlay { canvas in
            #expect((canvas.width, canvas.height) == (34, 17))
            canvas.fill(PixelRectangle(x: 5, y: 3, width: 4, height: 4), .white)
          }
        }
        .overlay { Overlay { $0.fill(PixelRectangle(x: -9, y: 16, width: .max, height: 8), .red) } }
        .appear(in: session)
      }
    }

    @Test func `does not overwrite a frame that the host is showing`() async throws {
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        for number in 1...2 {
          try host.publish(luma: UInt8(10 + number))
          _ = try host.viewfinderPlanes(UInt64(number))
        }
        let shown = host.viewfinderSlot(1)
        host.setHeldFrame(2)
        // Three passes through the ring. Sequences that map to the slot of frame 2 are skipped.
        var sequence: UInt64 = 2
        for number in 3...12 {
          try host.publish(luma: UInt8(10 + number))
          sequence += (sequence + 1) % 4 == 2 ? 2 : 1
          #expect(try host.viewfinderPlanes(sequence).luma.first == UInt8(10 + number))
          #expect(host.viewfinderSlot(1) == shown)
        }
        host.setHeldFrame(0)
        for number in 13...16 {
          try host.publish(luma: UInt8(10 + number))
          sequence += 1
          #expect(try host.viewfinderPlanes(sequence).luma.first == UInt8(10 + number))
        }
        #expect(host.viewfinderSlot(1) != shown)
        try host.dismiss()
      } extension: { session in
        try Viewfinder().appear(in: session)
      }
    }

    @Test func `stamps a viewfinder frame with its capture and drawing times`()
      async throws
    {
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        let before = MonotonicClock.now
        try host.publish(luma: 1)
        _ = try host.viewfinderPlanes(1)
        let stamps = host.viewfinderTimestamps(0)
        #expect(stamps.taken == 1000)
        #expect((before...MonotonicClock.now).contains(stamps.drawn))
        try host.dismiss()
      } extension: { session in
        try Viewfinder().appear(in: session)
      }
    }

    @Test(
      arguments: [
        (.black, (0, 0, 0)), (.white, (255, 255, 255)), (.red, (255, 0, 0)), (.green, (0, 255, 0)),
        (.yellow, (255, 255, 0)),
      ] as [(PreviewColor, (Double, Double, Double))]
    )
    func `defines named colors in the full-range YCbCr of JPEG`(
      color: PreviewColor,
      sample: (red: Double, green: Double, blue: Double)
    ) {
      let luma = 0.299 * sample.red + 0.587 * sample.green + 0.114 * sample.blue
      // 1.772 is twice 1 minus the weight of blue, and 1.402 is twice 1 minus the weight of red.
      let expected = [luma, 128 + (sample.blue - luma) / 1.772, 128 + (sample.red - luma) / 1.402]
      for (value, wanted) in zip([color.luma, color.blue, color.red], expected) {
        #expect(abs(Double(value) - min(wanted, 255)) <= 0.5, "\(color)")
      }
    }

    @Test func `strokes only the border of a rectangle, clipped to the image`()
      async throws
    {
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 10)
        let luma = try host.viewfinderPlanes(1).luma
        for row in 0..<17 {
          for column in 0..<34 {
            let isEdge =
              (2...6).contains(column) && (2...6).contains(row)
              && (column == 2 || column == 6 || row == 2 || row == 6)
            #expect(luma[row * 34 + column] == (isEdge ? 255 : 10), "\(column),\(row)")
          }
        }
        try host.dismiss()
      } extension: { session in
        try Viewfinder()
          .overlay {
            Overlay { canvas in
              canvas.stroke(PixelRectangle(x: 2, y: 2, width: 5, height: 5), .white, lineWidth: 1)
              canvas.stroke(PixelRectangle(x: 40, y: -20, width: 5, height: 5), .white)
              canvas.fill(PixelRectangle(x: .max, y: .min, width: .max, height: .max), .white)
              canvas.fill(PixelRectangle(x: 3, y: 3, width: -4, height: 0), .white)
            }
          }
          .appear(in: session)
      }
    }

    @Test func `logs an error while drawing, and shows the frame`() async throws {
      struct Trouble: Error {}
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 9)
        try host.expect(.log(.error, "a handler failed: Trouble()"))
        #expect(try host.viewfinderPlanes(1).luma.allSatisfy { $0 == 9 })
        try host.dismiss()
      } extension: { session in
        try Viewfinder().overlay { Overlay { _ in throw Trouble() } }.appear(in: session)
      }
    }

    @Test func `rejects a viewfinder whose size differs from the camera`() throws {
      let fake = try FakeHost()
      try fake.send(.request(id: .integer(1), .sessionStart(FakeHost.sessionStart())))
      fake.previewMemory.bytes.storeBytes(of: 32, toByteOffset: 20, as: UInt32.self)
      let error = #expect(throws: ExtensionFailure.self) {
        try LockedCameraCaptureSession(try fake.channel(preview: true))
      }
      #expect(error?.exitCode == 70)
    }
  }
}
