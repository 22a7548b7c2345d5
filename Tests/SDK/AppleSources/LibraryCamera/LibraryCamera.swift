// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import LockedCameraCapture
import Photos
import SwiftUI
import UIKit
import os

/// A photo as its parts arrive from the capture output.
struct PendingPhoto: Sendable {
  var processed: Data?
  var raw: Data?
  var isFavorite = false
}

/// Saves photos to the photo library.
actor PhotoSaver {
  private let logger = Logger(subsystem: "com.example.LibraryCamera", category: "Saver")

  func isAuthorized() async -> Bool {
    switch PHPhotoLibrary.authorizationStatus(for: .addOnly) {
    case .authorized, .limited:
      true
    case .notDetermined:
      await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized
    default:
      false
    }
  }

  func save(_ photo: PendingPhoto) async throws -> String? {
    guard await isAuthorized(), let processed = photo.processed else { return nil }
    nonisolated(unsafe) var identifier: String?
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "Locked.heic"
      request.addResource(with: .photo, data: processed, options: options)
      if let raw = photo.raw {
        request.addResource(with: .alternatePhoto, data: raw, options: nil)
      }
      request.isFavorite = photo.isFavorite
      request.creationDate = Date()
      identifier = request.placeholderForCreatedAsset?.localIdentifier
    }
    logger.info("Saved \(identifier ?? "nothing", privacy: .public)")
    return identifier
  }
}

final class LibraryCamera: NSObject, ObservableObject, @unchecked Sendable {
  @Published private(set) var savedIdentifiers: [String] = []
  @Published private(set) var message: String?
  @Published private(set) var isSaving = false
  @Published var marksFavorites = false

  let session = AVCaptureSession()
  private let output = AVCapturePhotoOutput()
  private let queue = DispatchQueue(label: "library.camera")
  private let saver = PhotoSaver()
  private var pending = PendingPhoto()

  func start() {
    queue.async { [self] in
      do {
        try configure()
        session.startRunning()
      } catch {
        show(error.localizedDescription)
      }
    }
  }

  private func configure() throws {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .photo
    guard let camera = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    if let largest = camera.activeFormat.supportedMaxPhotoDimensions.max(by: { $0.width < $1.width }) {
      output.maxPhotoDimensions = largest
    }
  }

  func takePhoto() {
    queue.async { [self] in
      pending = PendingPhoto()
      let raw = output.availableRawPhotoPixelFormatTypes.first
      let settings =
        raw.map {
          AVCapturePhotoSettings(
            rawPixelFormatType: $0,
            processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg]
          )
        } ?? AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      settings.maxPhotoDimensions = output.maxPhotoDimensions
      settings.isShutterSoundSuppressionEnabled = output.isShutterSoundSuppressionSupported
      output.capturePhoto(with: settings, delegate: self)
    }
  }

  private func show(_ text: String?) {
    DispatchQueue.main.async { self.message = text }
  }
}

extension LibraryCamera: AVCapturePhotoCaptureDelegate {
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: Error?
  ) {
    if photo.isRawPhoto {
      pending.raw = photo.fileDataRepresentation()
    } else {
      pending.processed = photo.fileDataRepresentation()
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: Error?
  ) {
    if let error {
      show(error.localizedDescription)
      return
    }
    var photo = pending
    Task { @MainActor in
      isSaving = true
      defer { isSaving = false }
      photo.isFavorite = marksFavorites
      do {
        if let identifier = try await saver.save(photo) {
          savedIdentifiers.append(identifier)
        } else {
          message = "Allow access to your photos in Settings."
        }
      } catch let error as PHPhotosError {
        message = "Photos error \(error.code.rawValue)"
      } catch {
        message = error.localizedDescription
      }
    }
  }
}

struct LibraryPreview: UIViewRepresentable {
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

struct LibraryView: View {
  @StateObject private var camera = LibraryCamera()

  var body: some View {
    ZStack(alignment: .bottom) {
      LibraryPreview(session: camera.session).ignoresSafeArea()
      VStack(spacing: 12) {
        if let message = camera.message {
          Text(message)
            .font(.footnote)
            .multilineTextAlignment(.center)
            .padding(8)
            .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 12, style: .continuous))
        }
        ScrollView(.horizontal, showsIndicators: false) {
          LazyHStack {
            ForEach(camera.savedIdentifiers, id: \.self) { identifier in
              Text(identifier.prefix(8)).font(.caption.monospaced())
              Divider()
            }
          }
        }
        .frame(height: 24)
        HStack {
          Button {
            camera.marksFavorites.toggle()
          } label: {
            Image(systemName: camera.marksFavorites ? "heart.fill" : "heart")
              .symbolRenderingMode(.hierarchical)
          }
          Spacer()
          Button("Take Photo", systemImage: "camera", action: camera.takePhoto)
            .buttonStyle(.borderedProminent)
          Spacer()
          ProgressView().opacity(camera.isSaving ? 1 : 0)
        }
      }
      .padding()
    }
    .preferredColorScheme(.dark)
    .onAppear(perform: camera.start)
  }
}

@main
struct LibraryCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { _ in
      LibraryView()
    }
  }
}
