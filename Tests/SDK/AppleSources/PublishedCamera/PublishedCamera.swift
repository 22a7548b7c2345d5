// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Combine
import LockedCameraCapture
import SwiftUI
import UIKit
import os

private let logger = Logger(subsystem: "com.example.PublishedCamera", category: "Camera")

final class CameraController: NSObject, ObservableObject, @unchecked Sendable {
  @Published var isRunning = false
  @Published var isUsingFrontCamera = false
  @Published var thumbnail: UIImage?
  @Published var alertMessage: String?

  let session = AVCaptureSession()
  private let sessionQueue = DispatchQueue(label: "com.example.PublishedCamera.session")
  private let photoOutput = AVCapturePhotoOutput()
  private var videoInput: AVCaptureDeviceInput?
  private var cancellables = Set<AnyCancellable>()
  private let folder: URL

  init(folder: URL) {
    self.folder = folder
    super.init()
    NotificationCenter.default.publisher(for: AVCaptureSession.runtimeErrorNotification, object: session)
      .compactMap { $0.userInfo?[AVCaptureSessionErrorKey] as? AVError }
      .receive(on: DispatchQueue.main)
      .sink { [weak self] error in
        logger.error("Capture session error: \(error.localizedDescription)")
        self?.alertMessage = error.localizedDescription
      }
      .store(in: &cancellables)
    $isUsingFrontCamera
      .dropFirst()
      .removeDuplicates()
      .sink { [weak self] front in self?.useCamera(at: front ? .front : .back) }
      .store(in: &cancellables)
  }

  func start() {
    switch AVCaptureDevice.authorizationStatus(for: .video) {
    case .authorized:
      configureAndRun()
    case .notDetermined:
      AVCaptureDevice.requestAccess(for: .video) { granted in
        if granted { self.configureAndRun() }
      }
    case .denied, .restricted:
      alertMessage = "The camera is not available."
    @unknown default:
      break
    }
  }

  private func configureAndRun() {
    sessionQueue.async { [self] in
      if session.outputs.isEmpty, session.canAddOutput(photoOutput) {
        session.addOutput(photoOutput)
      }
      replaceInput(at: .back)
      session.startRunning()
      DispatchQueue.main.async { self.isRunning = self.session.isRunning }
    }
  }

  private func useCamera(at position: AVCaptureDevice.Position) {
    sessionQueue.async { self.replaceInput(at: position) }
  }

  private func replaceInput(at position: AVCaptureDevice.Position) {
    let discovery = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.builtInDualCamera, .builtInWideAngleCamera],
      mediaType: .video,
      position: position
    )
    guard let device = discovery.devices.first else {
      logger.warning("No camera at position \(position.rawValue)")
      return
    }
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    if let videoInput { session.removeInput(videoInput) }
    do {
      let input = try AVCaptureDeviceInput(device: device)
      if session.canAddInput(input) {
        session.addInput(input)
        videoInput = input
      }
    } catch {
      logger.error("\(error.localizedDescription, privacy: .public)")
    }
  }

  func capturePhoto() {
    sessionQueue.async { [self] in
      let settings = AVCapturePhotoSettings()
      photoOutput.capturePhoto(with: settings, delegate: self)
    }
  }
}

extension CameraController: AVCapturePhotoCaptureDelegate {
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: Error?
  ) {
    guard error == nil, let data = photo.fileDataRepresentation() else { return }
    let name = "IMG_\(photo.resolvedSettings.uniqueID).heic"
    try? data.write(to: folder.appendingPathComponent(name))
    DispatchQueue.main.async { self.thumbnail = UIImage(data: data) }
  }
}

struct PreviewLayerView: UIViewRepresentable {
  let session: AVCaptureSession

  func makeUIView(context: Context) -> UIView {
    let view = UIView(frame: UIScreen.main.bounds)
    let layer = AVCaptureVideoPreviewLayer(session: session)
    layer.frame = view.bounds
    layer.videoGravity = .resizeAspectFill
    view.layer.addSublayer(layer)
    return view
  }

  func updateUIView(_ uiView: UIView, context: Context) {}
}

struct ContentView: View {
  @StateObject private var camera: CameraController

  init(folder: URL) {
    _camera = StateObject(wrappedValue: CameraController(folder: folder))
  }

  private var isShowingAlert: Binding<Bool> {
    Binding(get: { camera.alertMessage != nil }, set: { if !$0 { camera.alertMessage = nil } })
  }

  var body: some View {
    VStack(spacing: 0) {
      PreviewLayerView(session: camera.session)
      HStack(spacing: 40) {
        Group {
          if let thumbnail = camera.thumbnail {
            Image(uiImage: thumbnail).resizable().scaledToFill()
          } else {
            Color.gray
          }
        }
        .frame(width: 50, height: 50)
        .clipShape(RoundedRectangle(cornerRadius: 8))
        Button(action: camera.capturePhoto) {
          Image(systemName: "circle.inset.filled").font(.system(size: 64))
        }
        .disabled(!camera.isRunning)
        Toggle(isOn: $camera.isUsingFrontCamera) {
          Image(systemName: "arrow.triangle.2.circlepath.camera")
        }
        .toggleStyle(.button)
      }
      .padding(.vertical, 20)
      .frame(maxWidth: .infinity)
      .background(Color.black)
    }
    .tint(.white)
    .onAppear { camera.start() }
    .alert("Camera", isPresented: isShowingAlert) {
      Button("OK", role: .cancel) {}
    } message: {
      Text(camera.alertMessage ?? "")
    }
  }
}

@main
struct PublishedCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      ContentView(folder: session.sessionContentURL)
    }
  }
}
