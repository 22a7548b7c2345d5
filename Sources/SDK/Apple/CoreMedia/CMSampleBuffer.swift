// SPDX-License-Identifier: Apache-2.0
// The functions and constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported public import CoreVideo
package import LockedCameraCapture

/// A frame of video, or a block of sound, with its time.
///
/// It may be used on any thread. A frame is in memory that the host overwrites: see `CVBuffer`.
public final class CMSampleBuffer: Sendable {
  /// The time of the first sample, on the clock of the machine since its start.
  public let presentationTimeStamp: CMTime
  /// The duration of all samples.
  public let duration: CMTime
  /// The number of samples: 1 for video, the number of sample frames for sound.
  public let numSamples: Int
  /// The format of the samples.
  public let formatDescription: CMFormatDescription?
  /// The pixels, or `nil` for sound.
  public let imageBuffer: CVImageBuffer?
  /// The samples of sound, or `nil` for video.
  public let dataBuffer: CMBlockBuffer?

  /// Creates a buffer of a frame.
  ///
  /// - Parameters:
  ///   - image: The pixels.
  ///   - nanoseconds: The capture time, in nanoseconds of `CLOCK_MONOTONIC`.
  ///   - duration: The duration of the frame.
  package init(_ image: CVImageBuffer, nanoseconds: UInt64, duration: CMTime) {
    presentationTimeStamp = CMTime(value: Int64(clamping: nanoseconds), timescale: 1_000_000_000)
    self.duration = duration
    (numSamples, imageBuffer, dataBuffer) = (1, image, nil)
    formatDescription = CMFormatDescription(
      pixelFormat: CVPixelBufferGetPixelFormatType(image),
      CMVideoDimensions(
        width: Int32(clamping: CVPixelBufferGetWidth(image)),
        height: Int32(clamping: CVPixelBufferGetHeight(image))
      )
    )
  }

  /// Creates a buffer of sound.
  package init(_ sound: SoundBlock) {
    presentationTimeStamp = CMTime(value: Int64(clamping: sound.timestamp), timescale: 1_000_000_000)
    duration = CMTime(value: Int64(sound.frames), timescale: Int32(clamping: sound.sampleRate))
    (numSamples, imageBuffer) = (sound.frames, nil)
    dataBuffer = CMBlockBuffer(samples: sound.samples)
    formatDescription = CMFormatDescription(sampleRate: sound.sampleRate, channels: sound.channels)
  }

  /// Whether the samples are unchanged: the host has not overwritten the frame.
  public var isValid: Bool { imageBuffer?.isIntact ?? true }
}

/// A block of bytes; here samples of sound, signed 16-bit and little-endian, interleaved by channel.
public final class CMBlockBuffer: Sendable {
  /// The samples.
  package let samples: [Int16]

  init(samples: [Int16]) { self.samples = samples }

  /// The number of bytes.
  public var dataLength: Int { samples.count * MemoryLayout<Int16>.size }

  /// Calls `body` with the bytes, which are valid only during the call.
  ///
  /// - Parameter body: The closure that reads the bytes.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try samples.withUnsafeBytes(body)
  }
}

/// Returns the pixels of a frame, or `nil` for sound.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Returns the samples of sound, or `nil` for video.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// Returns the time of the first sample.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the duration of all samples.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the number of samples.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

/// Returns the format of the samples.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// Returns the number of bytes of a block.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Copies bytes of a block.
///
/// - Parameters:
///   - theSourceBuffer: The block.
///   - offsetToData: The offset of the first byte.
///   - dataLength: The number of bytes.
///   - destination: The memory for the bytes.
/// - Returns: 0, or -12704 (`kCMBlockBufferBadOffsetParameterErr`) if the block does not contain the bytes.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer,
  atOffset offsetToData: Int,
  dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> Int32 {
  theSourceBuffer.withUnsafeBytes { bytes in
    guard offsetToData >= 0, dataLength >= 0, offsetToData <= bytes.count - dataLength else { return -12704 }
    UnsafeMutableRawBufferPointer(start: destination, count: dataLength)
      .copyBytes(from: bytes[offsetToData..<offsetToData + dataLength])
    return 0
  }
}
