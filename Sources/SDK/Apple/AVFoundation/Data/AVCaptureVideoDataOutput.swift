// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Dispatch
internal import LockedCameraCapture

/// An output that passes each frame to a delegate, for processing. It may be used on any thread.
///
/// In the format of the camera's frames, `kCVPixelFormatType_420YpCbCr8PlanarFullRange`, the delegate reads the
/// memory that the host shares, without a copy. Other formats are converted, on the queue of the delegate.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
  private let delivery = SampleDelivery<any AVCaptureVideoDataOutputSampleBufferDelegate>()
  private let settings = VideoDataSettings()

  /// Creates an output.
  public init() { super.init([.video], appliesGeometry: false) }

  /// Sets the delegate.
  ///
  /// - Parameters:
  ///   - sampleBufferDelegate: The delegate, which is not retained, or `nil` for none.
  ///   - sampleBufferCallbackQueue: The serial queue on which the delegate is called.
  public func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) { delivery.set(sampleBufferDelegate, sampleBufferCallbackQueue) }

  /// The delegate, or `nil` if there is none.
  public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { delivery.delegate }

  /// The queue on which the delegate is called, or `nil` if there is none.
  public var sampleBufferCallbackQueue: DispatchQueue? { delivery.queue }

  /// Whether frames are dropped while the delegate processes another one; initially `true`.
  ///
  /// If `false`, up to three frames wait, because the host overwrites older ones.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { settings.discardsLateFrames }
    set { settings.discardsLateFrames = newValue }
  }

  /// The settings: the pixel format under `kCVPixelBufferPixelFormatTypeKey`, one of
  /// ``availableVideoPixelFormatTypes``. Another format is not set.
  public var videoSettings: [String: Any] {
    get { [kCVPixelBufferPixelFormatTypeKey: settings.format.rawValue] }
    set {
      let code = newValue[kCVPixelBufferPixelFormatTypeKey]
      let format = (code as? OSType ?? (code as? Int).flatMap(OSType.init(exactly:))).flatMap(
        CVPixelFormat.init(processed:)
      )
      if let format { settings.format = format }
    }
  }

  /// The pixel formats, the format without a copy first.
  public var availableVideoPixelFormatTypes: [OSType] { CVPixelFormat.processed.map(\.rawValue) }

  @MainActor
  override func receive(_ frame: CMSampleBuffer, _ connection: AVCaptureConnection) {
    let isDelivered = delivery.deliver(limit: settings.discardsLateFrames ? 1 : 3) { [settings] delegate in
      if let sample = frame.converted(to: settings.format), sample.isValid {
        delegate.captureOutput(self, didOutput: sample, from: connection)
      } else {
        delegate.captureOutput(self, didDrop: frame, from: connection)
      }
    }
    guard !isDelivered else { return }
    // Each call retains its frame. A delegate that never returns must not retain all frames of the session.
    _ = delivery.deliver(.drop, limit: 60) { $0.captureOutput(self, didDrop: frame, from: connection) }
  }
}

/// A delegate that receives frames. All methods are optional, and are called on the queue of the delegate.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
  /// Receives a frame.
  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  )

  /// Receives a frame that was dropped: the delegate was too slow, so that the pixels may be overwritten.
  ///
  /// At most 60 dropped frames wait until the queue of the delegate is free; further ones are not reported.
  func captureOutput(
    _ output: AVCaptureOutput,
    didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  )
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}

  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput,
    didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}

extension CMSampleBuffer {
  /// Returns this frame in a pixel format, or `nil` if the host has overwritten it meanwhile.
  fileprivate func converted(to format: CVPixelFormat) -> CMSampleBuffer? {
    guard let imageBuffer, CVPixelBufferGetPixelFormatType(imageBuffer) != format.rawValue else {
      return self
    }
    return imageBuffer.converted(to: format).map {
      CMSampleBuffer($0, nanoseconds: UInt64(clamping: presentationTimeStamp.value), duration: duration)
    }
  }
}
