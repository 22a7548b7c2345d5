// SPDX-License-Identifier: Apache-2.0

import CoreMedia
import ExtensionProtocol

@testable import LockedCameraCapture

/// Frames as the host delivers them.
enum TestFrame {
  /// A color: the samples of the planes Y, U and V.
  struct Color: Hashable {
    var luma: UInt8
    var blue: UInt8 = 128
    var red: UInt8 = 128
  }

  /// Returns a copied frame of one color with a capture time.
  static func sample(
    nanoseconds: UInt64,
    width: Int = 16,
    height: Int = 16,
    _ color: Color = Color(luma: 0, blue: 0, red: 0)
  ) throws -> CMSampleBuffer {
    try withSlot(nanoseconds: nanoseconds, width: width, height: height, color) { slot, geometry in
      copy(of: slot, geometry, nanoseconds: nanoseconds)
    }
  }

  /// Returns a copied frame whose luma is noise, which depends on the capture time.
  static func noise(nanoseconds: UInt64, width: Int, height: Int) throws -> CMSampleBuffer {
    try withSlot(nanoseconds: nanoseconds, width: width, height: height, Color(luma: 0)) { slot, geometry in
      var state = UInt32(truncatingIfNeeded: nanoseconds)
      for offset in geometry.planes[0].offset..<geometry.planes[0].end {
        // A linear congruential generator (Numerical Recipes), of which the high bits are used.
        state = state &* 1_664_525 &+ 1_013_904_223
        slot[offset] = 96 + UInt8(state >> 26)
      }
      return copy(of: slot, geometry, nanoseconds: nanoseconds)
    }
  }

  private static func copy(
    of slot: UnsafeMutableRawBufferPointer,
    _ geometry: FrameRingGeometry,
    nanoseconds: UInt64
  ) -> CMSampleBuffer {
    let memory = FrameMemory(copying: UnsafeRawBufferPointer(slot))
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    let frame = CaptureFrame(bytes, owner: memory, geometry, sequence: 1, dropped: 0)
    return CMSampleBuffer(CVPixelBuffer(frame, of: nil), nanoseconds: nanoseconds, duration: .invalid)
  }

  /// Calls `body` with a frame in memory of the host that now contains a later frame.
  static func withOverwrittenSample(
    nanoseconds: UInt64,
    width: Int,
    height: Int,
    _ body: (CMSampleBuffer) throws -> Void
  ) throws {
    let gray = Color(luma: 128)
    try withSlot(nanoseconds: nanoseconds, width: width, height: height, gray) { slot, geometry in
      slot.storeBytes(of: 2, toByteOffset: FrameRingLayout.Slot.sequence, as: UInt64.self)
      let frame = CaptureFrame(UnsafeRawBufferPointer(slot), owner: nil, geometry, sequence: 1, dropped: 0)
      try body(CMSampleBuffer(CVPixelBuffer(frame, of: nil), nanoseconds: nanoseconds, duration: .invalid))
    }
  }

  private static func withSlot<Result>(
    nanoseconds: UInt64,
    width: Int,
    height: Int,
    _ color: Color,
    _ body: (UnsafeMutableRawBufferPointer, FrameRingGeometry) throws -> Result
  ) throws -> Result {
    let geometry = try FrameRingGeometry(
      width: width,
      height: height,
      frameRateNumerator: 30,
      frameRateDenominator: 1
    )
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: geometry.slotStride, alignment: 64)
    defer { slot.deallocate() }
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    for (plane, sample) in zip(geometry.planes, [color.luma, color.blue, color.red]) {
      UnsafeMutableRawBufferPointer(rebasing: slot[plane.offset..<plane.end])
        .initializeMemory(as: UInt8.self, repeating: sample)
    }
    slot.storeBytes(
      of: nanoseconds.littleEndian,
      toByteOffset: FrameRingLayout.Slot.timestamp,
      as: UInt64.self
    )
    return try body(slot, geometry)
  }
}
