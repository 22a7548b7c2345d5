// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import CTurboJPEG
import CameraSource
import ExtensionProtocol
import LinuxPrimitives

/// The cost of decoding a full HD JPEG image into a slot, and of copying its pixels alone.
enum DecodingMeasurements {
  private static let (width, height) = (1920, 1080)

  /// Returns the durations of copying and decoding.
  static func run(_ runs: Int) throws -> [Series] {
    let file = try makeImage()
    let decoded = try StillImageSource(file, format: .jpeg, name: "picture")
    let layout = try decoded.geometry.ringGeometry()
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 4096)
    defer { slot.deallocate() }
    let stop = try StopSignal()
    // Otherwise the source would find its image in the slot and copy nothing.
    func copy() throws -> UInt64 {
      decoded.slotsWereErased()
      return try nanoseconds { try decoded.next(into: slot, layout: layout, stop: stop) }.time
    }
    var copyTimes = Series("copy 1920x1080 into a slot")
    var decoding = Series("decode JPEG 1920x1080 (\(file.count >> 10) KiB) and copy it into a slot")
    try interleave(
      rounds: runs,
      [
        { copyTimes.add(nanoseconds: try copy()) },
        {
          let took = try nanoseconds {
            let source = try StillImageSource(file, format: .jpeg, name: "picture")
            return try source.next(into: slot, layout: layout, stop: stop)
          }
          decoding.add(nanoseconds: took.time)
        },
      ]
    )
    return [copyTimes, decoding]
  }

  /// Returns an image with edges, gradients and a little noise that compresses like a photograph.
  private static func makeImage() throws -> [UInt8] {
    var noise: UInt32 = 1
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    for row in 0..<height {
      for column in 0..<width {
        noise = noise &* 1_664_525 &+ 1_013_904_223
        let block = (row / 90 + column / 120) % 2 == 0 ? 60 : 0
        let base = 3 * (row * width + column)
        for colour in 0..<3 {
          let slope = (row * (colour + 1) + column) * 120 / (4 * height + width)
          pixels[base + colour] = UInt8(block + slope + Int(noise >> 28))
        }
      }
    }
    guard let handle = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let (sampling, format) = (Int32(TJSAMP_420.rawValue), Int32(TJPF_RGB.rawValue))
    let result = tjCompress2(
      handle,
      pixels,
      Int32(width),
      0,
      Int32(height),
      format,
      &buffer,
      &size,
      sampling,
      90,
      0
    )
    defer { tjFree(buffer) }
    guard result == 0, let buffer else { throw failure(handle) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private static func failure(_ handle: tjhandle?) -> BenchmarkError {
    .unexpectedContents("a JPEG: " + String(cString: tjGetErrorStr2(handle)))
  }
}
