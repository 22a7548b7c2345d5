// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Dispatch
internal import LockedCameraCapture

/// An output that passes blocks of sound to a delegate. It may be used on any thread.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
  private let delivery = SampleDelivery<any AVCaptureAudioDataOutputSampleBufferDelegate>()

  /// Creates an output.
  public init() { super.init([.audio], appliesGeometry: false) }

  /// Sets the delegate.
  ///
  /// - Parameters:
  ///   - sampleBufferDelegate: The delegate, which is not retained, or `nil` for none.
  ///   - sampleBufferCallbackQueue: The serial queue on which the delegate is called.
  public func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) { delivery.set(sampleBufferDelegate, sampleBufferCallbackQueue) }

  /// The delegate, or `nil` if there is none.
  public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { delivery.delegate }

  /// The queue on which the delegate is called, or `nil` if there is none.
  public var sampleBufferCallbackQueue: DispatchQueue? { delivery.queue }

  @MainActor
  override func receiveSound(_ sound: CMSampleBuffer, _ connection: AVCaptureConnection) {
    // A block is a copy of a few milliseconds; a delegate that is slower than the microphone for a minute loses
    // sound.
    _ = delivery.deliver(limit: 6000) { delegate in
      delegate.captureOutput(self, didOutput: sound, from: connection)
    }
  }
}

/// A delegate that receives sound.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: AnyObject {
  /// Receives a block of sound; called on the queue of the delegate.
  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  )
}
