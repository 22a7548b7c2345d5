// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import os

/// Counts the frames and the blocks of sound that arrive on queues of the extension.
final class FrameCounter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate, Sendable
{
  private let counts = OSAllocatedUnfairLock(initialState: (frames: 0, sound: 0, luma: 0))

  /// The number of frames, the number of sample frames of sound, and the luma of the last frame's first pixel.
  var text: String {
    let counts = counts.withLock { $0 }
    return "frames \(counts.frames) sound \(counts.sound) luma \(counts.luma)\n"
  }

  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else {
      return counts.withLock { $0.sound += CMSampleBufferGetNumSamples(sampleBuffer) }
    }
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let luma = CVPixelBufferGetBaseAddressOfPlane(pixels, 0)?.load(as: UInt8.self) ?? 0
    counts.withLock {
      $0.frames += 1
      $0.luma = Int(luma)
    }
  }
}
