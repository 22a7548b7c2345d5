// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import LockScreenCamera
import Observation
import os

/// The camera of a session: its capture graph, its settings, and its photos.
@MainActor @Observable
final class CameraModel: NSObject {
  /// The number of photos of this session.
  private(set) var photoCount = 0
  /// The name of the last photo, or `nil` if there is none.
  private(set) var lastPhoto: String?
  /// The settings that the user chose last, in the extension or in the app.
  private(set) var settings: CameraSettings
  /// The message about the last failure, or `nil` if there is none.
  var failure: String?

  @ObservationIgnored private let storage: PhotoStorage
  @ObservationIgnored private let session = AVCaptureSession()
  @ObservationIgnored private let photoOutput = AVCapturePhotoOutput()
  @ObservationIgnored private let logger = Logger(
    subsystem: "org.darkroom.lockscreencamera",
    category: "camera"
  )

  /// Creates a camera that stores its photos in a storage.
  init(_ storage: PhotoStorage, settings: CameraSettings) {
    self.storage = storage
    self.settings = settings
  }

  /// Connects the camera with the output for photos, and starts both.
  func start() {
    do {
      guard let device = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
      let input = try AVCaptureDeviceInput(device: device)
      session.beginConfiguration()
      session.sessionPreset = .photo
      if session.canAddInput(input) { session.addInput(input) }
      if session.canAddOutput(photoOutput) { session.addOutput(photoOutput) }
      session.commitConfiguration()
      session.startRunning()
    } catch {
      report("The camera cannot be used", error)
    }
  }

  /// Takes a photo with the current settings.
  func takePhoto() {
    photoOutput.connection(with: .video)?.isVideoMirrored = settings.isMirrored
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    photoOutput.capturePhoto(with: settings, delegate: self)
  }

  /// Applies each change of the settings by this process or the app.
  func followSettings() async {
    for await settings in CameraSettings.shared.updates { self.settings = settings }
  }

  /// Changes the settings, and stores them for the app and for later sessions.
  func change(_ change: @escaping @Sendable (inout CameraSettings) -> Void) {
    Task {
      do {
        settings = try await CameraSettings.shared.update(change)
        logger.info("\(self.settings.description, privacy: .public)")
      } catch {
        report("The settings cannot be stored", error)
      }
    }
  }

  /// Logs an error, and shows a message to the user.
  func report(_ message: String, _ error: any Error) {
    logger.error("\(message, privacy: .public): \(String(describing: error), privacy: .public)")
    failure = message
  }
}

extension CameraModel: @MainActor AVCapturePhotoCaptureDelegate {
  /// Stores the photo.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    do {
      if let error { throw error }
      guard let data = photo.fileDataRepresentation() else { throw AVError(.unknown) }
      let name = try storage.save(data, number: photoCount + 1)
      photoCount += 1
      lastPhoto = name
      logger.info("wrote \(name, privacy: .public)")
    } catch {
      report("The photo was not stored", error)
    }
  }
}
