// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import LinuxPrimitives
import SwiftUI
import TestSupport
import Testing

/// A view controller that adds the preview as a layer, and starts the session when its view appears.
private final class CameraViewController: UIViewController {
  let session = AVCaptureSession()
  let pressed: (AVCaptureEvent) -> Void
  private var preview: AVCaptureVideoPreviewLayer?

  init(pressed: @escaping (AVCaptureEvent) -> Void) {
    self.pressed = pressed
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .white
    guard let device = AVCaptureDevice.default(for: .video),
      let input = try? AVCaptureDeviceInput(device: device)
    else { return }
    session.addInput(input)
    let preview = AVCaptureVideoPreviewLayer(session: session)
    preview.videoGravity = .resizeAspectFill
    view.layer.insertSublayer(preview, at: 0)
    self.preview = preview
    view.addInteraction(AVCaptureEventInteraction { [pressed] in pressed($0) })
  }

  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    preview?.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: view.bounds.height / 2)
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    session.startRunning()
  }
}

private struct CameraController: UIViewControllerRepresentable {
  let pressed: (AVCaptureEvent) -> Void

  func makeUIViewController(context: Context) -> CameraViewController {
    CameraViewController(pressed: pressed)
  }

  func updateUIViewController(_ uiViewController: CameraViewController, context: Context) {}
}

extension CurrentSessionTests {
  /// Previews in a viewfinder of 34 by 17 pixels, which has 780 by 390 points.
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct PreviewLayerTests {
    private nonisolated static let width = 34

    @Test func `contains the code of the article exactly`() throws {
      func text(_ path: String) throws -> String {
        String(decoding: try FileSystem.contents("\(PackageDirectory.path)/\(path)") ?? [], as: UTF8.self)
      }
      let article = try text("Sources/Darkroom.docc/Reference/AppleModules.md")
      let compiled = try text("Tests/SDK/LockedCameraCaptureTests/DocumentedPreview.swift")
      let blocks = article.split(separator: "import AVFoundation\n").dropFirst()
      let code = try #require(blocks.first?.split(separator: "```").first)
      #expect(compiled.hasSuffix(code))
    }

    @Test func `shows the frames in the rectangle of a view, above the views below it`() async throws {
      var session: AVCaptureSession?
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 60)
        // The views are drawn once before the camera starts.
        let (before, after) = (try host.viewfinderPlanes(1).luma, try host.viewfinderPlanes(2).luma)
        let row = 8 * Self.width
        #expect(before[row..<row + 17].allSatisfy { $0 <= 1 })
        #expect(after[row..<row + 17].allSatisfy { abs(Int($0) - 60) <= 1 })
        #expect(after[row + 17..<row + Self.width].allSatisfy { $0 >= 254 })
        try host.dismiss()
      } extension: { scene in
        let new = try CaptureGraphTests.captureSession(AVCapturePhotoOutput())
        session = new
        let view = ZStack(alignment: .leading) {
          Color.white
          CameraPreview(session: new).frame(width: 390)
        }
        try view.appear(in: scene)
        new.startRunning()
        #expect(new.connections.contains { $0.videoPreviewLayer != nil })
      }
      #expect(session != nil)
    }

    @Test func `shows a preview that a view controller adds as a layer, and handles the buttons`()
      async throws
    {
      let phases = Phases()
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.publish(luma: 60)
        let luma = try host.viewfinderPlanes(1).luma
        #expect(luma[3 * Self.width + 3] == 60)
        #expect(luma[12 * Self.width + 3] == 255)
        try host.press()
        try host.dismiss()
      } extension: { scene in
        try CameraController { phases.append($0.phase) }.appear(in: scene)
      }
      #expect(phases.values == [.began])
    }
  }
}

/// The phases of presses.
@MainActor
private final class Phases {
  private(set) var values: [AVCaptureEventPhase] = []

  func append(_ phase: AVCaptureEventPhase) { values.append(phase) }
}
