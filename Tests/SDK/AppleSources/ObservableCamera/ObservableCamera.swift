// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import LockedCameraCapture
import Observation
import SwiftUI
import UIKit

/// Owns the capture pipeline, away from the main actor.
actor CaptureService {
  nonisolated let session = AVCaptureSession()
  private let photoOutput = AVCapturePhotoOutput()
  private var inFlight: [Int64: PhotoDelegate] = [:]
  private var isConfigured = false

  func start() throws {
    if !isConfigured {
      try configure()
      isConfigured = true
    }
    session.startRunning()
  }

  func stop() {
    session.stopRunning()
  }

  private func configure() throws {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .photo
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
      throw CameraError.noCamera
    }
    let input = try AVCaptureDeviceInput(device: camera)
    guard session.canAddInput(input), session.canAddOutput(photoOutput) else { throw CameraError.setupFailed }
    session.addInput(input)
    session.addOutput(photoOutput)
    photoOutput.maxPhotoQualityPrioritization = .quality
  }

  func takePhoto(flash: AVCaptureDevice.FlashMode) async throws -> Data {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.photoQualityPrioritization = .balanced
    if photoOutput.supportedFlashModes.contains(flash) { settings.flashMode = flash }
    let id = settings.uniqueID
    defer { inFlight[id] = nil }
    return try await withCheckedThrowingContinuation { continuation in
      let delegate = PhotoDelegate(continuation)
      inFlight[id] = delegate
      photoOutput.capturePhoto(with: settings, delegate: delegate)
    }
  }
}

enum CameraError: Error {
  case noCamera, setupFailed, noData
}

/// Turns the delegate callbacks of one photo into the result of an asynchronous call.
final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate {
  private let continuation: CheckedContinuation<Data, any Error>

  init(_ continuation: CheckedContinuation<Data, any Error>) {
    self.continuation = continuation
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    if let error {
      continuation.resume(throwing: error)
    } else if let data = photo.fileDataRepresentation() {
      continuation.resume(returning: data)
    } else {
      continuation.resume(throwing: CameraError.noData)
    }
  }
}

@MainActor @Observable
final class CameraModel {
  enum Status { case unknown, unauthorized, running, failed }

  private(set) var status = Status.unknown
  private(set) var photoCount = 0
  private(set) var isCapturing = false
  var usesFlash = false
  let service = CaptureService()

  func start() async {
    guard await AVCaptureDevice.requestAccess(for: .video) else {
      status = .unauthorized
      return
    }
    do {
      try await service.start()
      status = .running
    } catch {
      status = .failed
    }
  }

  func takePhoto(into folder: URL) async {
    isCapturing = true
    defer { isCapturing = false }
    do {
      let data = try await service.takePhoto(flash: usesFlash ? .on : .off)
      let url = folder.appending(path: "\(UUID().uuidString).jpg")
      try data.write(to: url, options: .atomic)
      photoCount += 1
    } catch {
      status = .failed
    }
  }
}

struct CameraPreview: UIViewRepresentable {
  let session: AVCaptureSession

  final class PreviewView: UIView {
    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
    var previewLayer: AVCaptureVideoPreviewLayer { layer as! AVCaptureVideoPreviewLayer }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    view.previewLayer.session = session
    view.previewLayer.videoGravity = .resizeAspectFill
    return view
  }

  func updateUIView(_ uiView: PreviewView, context: Context) {}
}

struct CameraView: View {
  let captureSession: LockedCameraCaptureSession
  @State private var model = CameraModel()

  var body: some View {
    ZStack(alignment: .bottom) {
      CameraPreview(session: model.service.session)
        .ignoresSafeArea()
      if model.status == .unauthorized {
        Text("Allow access to the camera in Settings.")
          .foregroundStyle(.white)
          .frame(maxWidth: .infinity, maxHeight: .infinity)
      }
      HStack {
        Text("\(model.photoCount)")
          .font(.headline.monospacedDigit())
          .frame(width: 60)
        Spacer()
        Button {
          Task { await model.takePhoto(into: captureSession.sessionContentURL) }
        } label: {
          Circle()
            .strokeBorder(.white, lineWidth: 4)
            .background(Circle().fill(.white).padding(8))
            .frame(width: 72, height: 72)
        }
        .buttonStyle(.plain)
        .disabled(model.status != .running || model.isCapturing)
        .accessibilityLabel("Take Photo")
        Spacer()
        Button("Flash", systemImage: model.usesFlash ? "bolt.fill" : "bolt.slash.fill") {
          model.usesFlash.toggle()
        }
        .labelStyle(.iconOnly)
        .frame(width: 60)
      }
      .foregroundStyle(.white)
      .padding()
      .background(.black.opacity(0.5))
    }
    .task { await model.start() }
  }
}

@main
struct ObservableCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      CameraView(captureSession: session)
    }
  }
}
