// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockedCameraCapture
import SwiftUI
import TestSupport
import Testing

/// The view of Apple's template for capture extensions, with a coordinator.
private struct TemplateViewfinder: UIViewControllerRepresentable {
  let session: LockedCameraCaptureSession
  var sourceType: UIImagePickerController.SourceType = .camera
  var mediaTypes = ["public.image", "public.movie"]

  init(session: LockedCameraCaptureSession, mediaTypes: [String] = ["public.image", "public.movie"]) {
    self.session = session
    self.mediaTypes = mediaTypes
  }

  func makeUIViewController(context: Self.Context) -> UIImagePickerController {
    let imagePicker = UIImagePickerController()
    imagePicker.sourceType = sourceType
    imagePicker.mediaTypes = mediaTypes
    imagePicker.cameraDevice = .rear
    imagePicker.delegate = context.coordinator
    return imagePicker
  }

  func updateUIViewController(_ uiViewController: UIImagePickerController, context: Self.Context) {}

  func makeCoordinator() -> Coordinator { Coordinator(session: session) }

  /// Logs the name of each picture.
  @MainActor final class Coordinator: UIImagePickerControllerDelegate, UINavigationControllerDelegate {
    private let session: LockedCameraCaptureSession

    init(session: LockedCameraCaptureSession) { self.session = session }

    func imagePickerController(
      _ picker: UIImagePickerController,
      didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {
      let file = (info[.imageURL] as? URL)?.lastPathComponent ?? "no file"
      session.log(.info, "\(info[.mediaType] as? String ?? "no type") \(file)")
    }
  }
}

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ImagePickerTests {
    private nonisolated static func event(_ phase: CapturePhase) -> HostMessage {
      .notification(.captureEvent(CaptureEvent(.primary, phase)))
    }

    @Test func `writes a picture for each press, and notifies the coordinator`() async throws {
      let directory = try TemporaryDirectory()
      let path = directory.path
      try await runAsyncSession(preview: true) { host in
        try host.start(FakeHost.sessionStart(directory: path))
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.publish(luma: 60)
        #expect(try host.viewfinderPlanes(1).luma.first == 60)
        try host.send(Self.event(.began))
        try host.send(Self.event(.ended))
        try host.expect(.log(.info, "public.image IMG_1.jpg"))
        // A cancelled press takes no picture.
        try host.send(Self.event(.began))
        try host.send(Self.event(.cancelled))
        try host.dismiss()
      } extension: { session in
        try TemplateViewfinder(session: session).appear(in: session)
      }
      #expect(try FileSystem.names(in: path) == ["IMG_1.jpg"])
      let bytes = try #require(try FileSystem.contents("\(path)/IMG_1.jpg"))
      #expect(bytes.starts(with: [0xFF, 0xD8]))
    }

    @Test func `logs the reason if the media types contain no images`() async throws {
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.send(Self.event(.ended))
        try host.expect(.log(.error, "the media types of the picker contain no images; add 'public.image'"))
        try host.dismiss()
      } extension: { session in
        try TemplateViewfinder(session: session, mediaTypes: ["public.movie"]).appear(in: session)
      }
    }
  }
}
