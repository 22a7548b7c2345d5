// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import ExtensionProtocol
import Foundation
import LinuxPrimitives
import TestSupport
import Testing

@testable import LockedCameraCapture

/// Files with the samples of a sensor, as LibRaw reads them.
@Suite(.enabled(if: FileSystem.isReadable("/usr/bin/unprocessed_raw")), .waiting) struct DNGTests {
  private static let (width, height) = (64, 48)

  /// Different samples for each pixel. The averages of red, green and blue are 80, 40 and 20 in units of 1/256.
  private static func samples(_ format: BayerFormat) -> [UInt16] {
    let colors: [Int] =
      switch format.pattern {
      case .bggr: [20, 40, 40, 80]
      case .gbrg: [40, 20, 80, 40]
      case .grbg: [40, 80, 20, 40]
      case .rggb: [80, 40, 40, 20]
      }
    return (0..<width * height).map { index in
      let (row, column) = (index / width, index % width)
      let color = colors[row % 2 * 2 + column % 2] << (format.bits - 8)
      return UInt16(color + [-3, 3][column / 2 % 2] + [-1, 1][row / 2 % 2])
    }
  }

  /// Returns a copied frame with samples.
  private func frame(_ format: BayerFormat, _ samples: [UInt16]) throws -> CaptureFrame {
    let geometry = try FrameRingGeometry(
      width: Self.width,
      height: Self.height,
      frameRateNumerator: 30,
      frameRateDenominator: 1,
      raw: format
    )
    var slot = [UInt8](repeating: 0, count: geometry.slotStride)
    let raw = try #require(geometry.raw)
    for (index, sample) in samples.enumerated() {
      let offset = raw.offset + index / Self.width * raw.stride + index % Self.width * format.bytesPerSample
      slot[offset] = UInt8(truncatingIfNeeded: sample)
      if format.bytesPerSample == 2 { slot[offset + 1] = UInt8(sample >> 8) }
    }
    let memory = slot.withUnsafeBytes { FrameMemory(copying: $0) }
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    return CaptureFrame(bytes, owner: memory, geometry, sequence: 1, dropped: 0)
  }

  @Test(arguments: BayerFormat.all)
  func `has the samples, the colors and the white point of a sensor`(format: BayerFormat) throws {
    let samples = Self.samples(format)
    let frame = try frame(format, samples)
    let description = PhotoDescription(orientation: 6, date: Date(timeIntervalSince1970: 0), camera: "Sensor")
    let encoded = DNGEncoder().encode(frame, describedBy: description)
    let file = try #require(encoded)
    let path = "/tmp/darkroom-dng-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(path) }
    try FileSystem.makeDirectories(path)
    try Data(file).write(to: URL(fileURLWithPath: path + "/photo.dng"))
    try runShell("cd '\(path)' && raw-identify -v photo.dng >facts && unprocessed_raw photo.dng")
    let facts = try #require(try FileSystem.contents(path + "/facts", limit: 1 << 16))
    let lines = String(decoding: facts, as: UTF8.self).split(separator: "\n").map { $0.filter { $0 != " " } }
    let pattern = format.pattern.rawValue.uppercased()
    #expect(lines.contains("Filterpattern:" + String(repeating: pattern, count: 4)), "\(lines)")
    #expect(lines.contains("Timestamp:ThuJan100:00:001970") && lines.contains("Imageflip:6"), "\(lines)")
    // The factors of red, green and blue that make the averages equal.
    #expect(lines.contains { $0.hasPrefix("Asshot124") }, "\(lines)")
    // A portable graymap with 16 bits, the higher byte first.
    let header = Array("P5\n\(Self.width) \(Self.height)\n65535\n".utf8)
    let map = try #require(try FileSystem.contents(path + "/photo.dng.pgm", limit: 1 << 16))
    #expect(map.starts(with: header))
    #expect(Array(map.dropFirst(header.count)) == samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
  }

  @Test func `does not exist for a frame without samples`() throws {
    let geometry = try FrameRingGeometry(width: 2, height: 2, frameRateNumerator: 1, frameRateDenominator: 1)
    let memory = [UInt8](repeating: 0, count: geometry.slotStride).withUnsafeBytes {
      FrameMemory(copying: $0)
    }
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    let frame = CaptureFrame(bytes, owner: memory, geometry, sequence: 1, dropped: 0)
    let file = DNGEncoder().encode(frame, describedBy: PhotoDescription())
    #expect(file == nil)
  }
}
