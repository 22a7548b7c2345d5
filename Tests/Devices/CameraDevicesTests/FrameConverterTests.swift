// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Testing

@testable import CameraDevices

/// The conversion of each pixel format to I420.
@Suite struct FrameConverterTests {
  private let converter: FrameConverter
  private let layout: FrameRingGeometry

  init() throws {
    converter = try FrameConverter(nil)
    layout = try FrameGeometry(width: 64, height: 48).ringGeometry()
  }

  /// Converts a frame, and returns the pixels and a failure message, or `nil` on success.
  private func convert(_ frame: [UInt8], _ picture: ActiveCameraFormat) -> (pixels: [UInt8], failure: String?)
  {
    var frame = frame
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
    defer { slot.deallocate() }
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    let failure = frame.withUnsafeMutableBytes { converter.convert($0, picture, into: slot, layout) }
    return (Array(UnsafeRawBufferPointer(rebasing: slot[layout.pixels])), failure)
  }

  /// Returns an I420 frame of one color.
  private func uniformPixels(_ y: UInt8, _ u: UInt8, _ v: UInt8) -> [UInt8] {
    [UInt8](repeating: y, count: 3072) + [UInt8](repeating: u, count: 768) + [UInt8](repeating: v, count: 768)
  }

  @Test(
    arguments: [
      ("YUYV", [50, 100, 50, 200]), ("UYVY", [100, 50, 200, 50]), ("YVYU", [50, 200, 50, 100]),
    ] as [(StaticString, [UInt8])]
  )
  func `converts packed YUV422 frames to I420, and rejects truncated ones`(name: StaticString, four: [UInt8])
  {
    let frame = (0..<1536).flatMap { _ in four }
    let picture = ActiveCameraFormat(PixelFormat(name), width: 64, height: 48, stride: 128, bytes: 6144)
    let result = convert(frame, picture)
    #expect(result.failure == nil && result.pixels == uniformPixels(50, 100, 200))
    #expect(convert(Array(frame.dropLast(4)), picture).failure == "the frame has 6140 of 6144 bytes")
  }

  @Test(arguments: [("NV12", [100, 200]), ("YU12", [100]), ("YV12", [200])] as [(StaticString, [UInt8])])
  func `converts planar and semi-planar frames to I420, and rejects truncated ones`(
    name: StaticString,
    first: [UInt8]
  ) {
    var chroma = (0..<768).flatMap { _ in first }
    if chroma.count == 768 { chroma += [UInt8](repeating: first == [100] ? 200 : 100, count: 768) }
    let frame = [UInt8](repeating: 50, count: 3072) + chroma
    let picture = ActiveCameraFormat(PixelFormat(name), width: 64, height: 48, stride: 64, bytes: 4608)
    let result = convert(frame, picture)
    #expect(result.failure == nil && result.pixels == uniformPixels(50, 100, 200))
    #expect(convert(Array(frame.dropLast(4)), picture).failure == "the frame has 4604 of 4608 bytes")
  }

  /// Returns a frame of one color with the samples of a sensor, at 64 by 48 pixels with padded rows.
  private func samples(_ format: BayerFormat, red: Int, green: Int, blue: Int) -> [UInt8] {
    let colors: [Int] =
      switch format.pattern {
      case .bggr: [blue, green, green, red]
      case .gbrg: [green, blue, red, green]
      case .grbg: [green, red, blue, green]
      case .rggb: [red, green, green, blue]
      }
    return (0..<48).flatMap { row in
      (0..<64).flatMap { column in
        let sample = colors[row % 2 * 2 + column % 2] << (format.bits - 8)
        return format.bytesPerSample == 1 ? [UInt8(sample)] : [UInt8(sample & 255), UInt8(sample >> 8)]
      } + [UInt8](repeating: 255, count: 16)
    }
  }

  @Test(arguments: BayerFormat.all)
  func `converts the samples of a sensor to I420, and rejects truncated frames`(format: BayerFormat) {
    let stride = 64 * format.bytesPerSample + 16
    let pixels = PixelFormat(code: format.codeNumber)
    let picture = ActiveCameraFormat(pixels, width: 64, height: 48, stride: stride, bytes: stride * 48)
    let frame = samples(format, red: 200, green: 100, blue: 50)
    let result = convert(frame, picture)
    #expect(result.failure == nil)
    // Limited range: Y = 16 + 0.257 R + 0.504 G + 0.098 B, U = 128 - 0.148 R - 0.291 G + 0.439 B,
    // V = 128 + 0.439 R - 0.368 G - 0.071 B (ITU-R BT.601).
    #expect(zip(result.pixels, uniformPixels(123, 91, 175)).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    let failure = "the frame has \(stride * 48 - 1) of \(stride * 48) bytes"
    #expect(convert(Array(frame.dropLast()), picture).failure == failure)
  }

  @Test func `decodes JPEG frames, and rejects truncated and empty ones`() throws {
    let pixels = uniformPixels(50, 100, 200)
    let file = try StillImageEncoder.encode(pixels, layout, as: .jpeg)
    let picture = ActiveCameraFormat(.motionJPEG, width: 64, height: 48, bytes: 6144, range: .full)
    let result = convert(file, picture)
    #expect(result.failure == nil)
    #expect(zip(result.pixels, pixels).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    #expect(convert(Array(file.prefix(200)), picture).failure != nil)
    #expect(convert([], picture).failure != nil)
  }
}
