// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
public import CoreMedia
internal import Foundation
public import LockedCameraCapture

/// An output for photos: JPEG or TIFF files with Exif metadata, pixels, or DNG files with the samples of a sensor. It may be used on any thread.
///
/// A photo is the newest frame at the time of the request, or with a flash, the first frame after the camera has adjusted
/// its exposure to the light. The host waits for photos that are being encoded
/// when it dismisses the session.
public final class AVCapturePhotoOutput: AVCaptureOutput, @unchecked Sendable {
  /// The requests that wait for a frame.
  @MainActor private var waiting: [PhotoRequest] = []
  /// The requests whose last delegate method was not called yet.
  private let work = PendingWork()
  /// The flash of photos.
  private let flash = PhotoFlash()
  /// The queue that encodes photos, so that the main thread shows frames meanwhile.
  private let queue = DispatchQueue(label: "AVCapturePhotoOutput")

  /// Creates an output.
  public init() { super.init([.video], appliesGeometry: true) }

  /// A priority of quality over speed.
  public enum QualityPrioritization: Int, Sendable {
    /// Speed is more important.
    case speed = 1
    /// Both are equally important.
    case balanced = 2
    /// Quality is more important.
    case quality = 3
  }

  /// The maximum priority that settings may have; it has no effect, because each photo is one frame.
  public var maxPhotoQualityPrioritization: QualityPrioritization {
    get { .quality }
    set {}
  }

  /// The maximum size of photos: the size of the camera's frames. Setting it has no effect.
  public var maxPhotoDimensions: CMVideoDimensions {
    get { connection(with: .video)?.inputPorts.first?.formatDescription?.dimensions ?? CMVideoDimensions() }
    set {}
  }

  /// The modes of the flash: off, and on if the camera has a torch, which is lit for the photo.
  public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
    AVCaptureDevice.default(for: .video)?.hasFlash == true ? [.off, .on] : [.off]
  }

  /// Whether photos can have a short movie, always `false`.
  public var isLivePhotoCaptureSupported: Bool { false }

  /// Whether photos can have depth data, always `false`.
  public var isDepthDataDeliverySupported: Bool { false }

  /// Whether photos can have processed raw data, always `false`.
  public var isAppleProRAWSupported: Bool { false }

  /// Whether a photo is the frame that was shown at the time of the request, always `true`.
  public var isZeroShutterLagSupported: Bool { true }

  /// Whether requests in quick succession are possible, always `true`.
  public var isResponsiveCaptureSupported: Bool { true }

  /// The format of the raw data that the camera delivers, or `nil` for none.
  var rawPixelFormat: CVPixelFormat? {
    connection(with: .video) == nil ? nil : AVCaptureDevice.default(for: .video)?.activeFormat.rawPixelFormat
  }

  /// Requests a photo.
  ///
  /// - Parameters:
  ///   - settings: The settings; do not change them afterwards.
  ///   - delegate: The delegate, which is retained until its last method returns.
  public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate)
  {
    let description = PhotoDescription(
      orientation: connection(with: .video)?.geometry.exifOrientation ?? 1,
      date: Date(),
      camera: AVCaptureDevice.default(for: .video)?.localizedName
    )
    let resolved = AVCaptureResolvedPhotoSettings(
      settings,
      frameSize: maxPhotoDimensions,
      rawPixelFormat: rawPixelFormat?.rawValue,
      isFlashEnabled: session?.isRunning == true && PhotoFlash.isEnabled(for: settings)
    )
    let request = PhotoRequest(settings, delegate, resolved, description)
    work.begin()
    DispatchQueue.main.async { MainActor.assumeIsolated { self.begin(request) } }
  }

  @MainActor
  private func begin(_ request: PhotoRequest) {
    // A request from before the dismissal of the session may arrive after it.
    guard enabledConnection(with: .video) != nil, let owner = self.session,
      owner.isRunning || owner.isInterrupted, let session = CurrentSession.session
    else { return finish(request, AVError(.sessionNotRunning)) }
    request.delegate.photoOutput(self, willBeginCaptureFor: request.resolved)
    waiting.append(request)
    if owner.isInterrupted || !flash.light(for: request) { takePicture(for: request, in: session) }
    // After the dismissal, no further frame arrives.
    if owner.isInterrupted { streamsEnded(AVError(.sessionWasInterrupted)) }
  }

  @MainActor
  private func takePicture(for request: PhotoRequest, in session: LockedCameraCaptureSession) {
    request.delegate.photoOutput(self, willCapturePhotoFor: request.resolved)
    session.takePicture { [weak self] frame in self?.capture(frame, for: request) }
  }

  /// Takes the photos for which the light of the flash is ready.
  @MainActor
  override func receive(_ frame: CMSampleBuffer, _ connection: AVCaptureConnection) {
    guard let session = CurrentSession.session else { return }
    for request in flash.frameArrived() { takePicture(for: request, in: session) }
  }

  /// Receives the frame for a request, unless the streams have ended before.
  @MainActor
  private func capture(_ frame: borrowing CaptureFrame, for request: PhotoRequest) {
    guard let index = waiting.firstIndex(where: { $0 === request }) else { return }
    waiting.remove(at: index)
    flash.finish(request)
    request.captured(at: frame.timestamp)
    request.delegate.photoOutput(self, didCapturePhotoFor: request.resolved)
    let pixels = CVPixelBuffer(frame.alias(), of: nil)
    queue.async {
      var photos: [Result<AVCapturePhoto, any Error>] = []
      if request.resolved.hasRawPhoto {
        photos.append(Result { try AVCapturePhoto(rawSamplesOf: pixels, request) })
      }
      if request.resolved.hasProcessedPhoto { photos.append(Result { try AVCapturePhoto(pixels, request) }) }
      DispatchQueue.main.async { [photos] in MainActor.assumeIsolated { self.deliver(photos, request) } }
    }
  }

  @MainActor
  private func deliver(_ photos: [Result<AVCapturePhoto, any Error>], _ request: PhotoRequest) {
    var failure: AVError?
    for photo in photos {
      switch photo {
      case .success(let photo):
        request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
      case .failure(let error):
        failure = AVError(error)
        let photo = AVCapturePhoto(withoutContent: request)
        request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: failure)
      }
    }
    finish(request, failure)
  }

  @MainActor
  private func finish(_ request: PhotoRequest, _ error: AVError?) {
    request.delegate.photoOutput(self, didFinishCaptureFor: request.resolved, error: error)
    work.end()
  }

  @MainActor
  override func streamsEnded(_ error: AVError?) {
    let requests = waiting
    waiting = []
    for request in requests {
      flash.finish(request)
      finish(request, error ?? AVError(.sessionNotRunning))
    }
  }

  @MainActor
  override func finishWork() async { await work.finished() }
}
