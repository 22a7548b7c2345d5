// SPDX-License-Identifier: Apache-2.0

import CameraDevices
import Testing

/// Gathering separate planes into one buffer.
@Suite struct PlanarLayoutTests {
  /// Creates a plane whose bytes encode their plane, row and column. Padding bytes are 255.
  private static func plane(_ number: UInt8, rowBytes: Int, rows: Int, stride: Int) -> [UInt8] {
    (0..<rows).flatMap { row in
      (0..<stride).map { $0 < rowBytes ? number * 64 + UInt8(row * 8 + $0) : 255 }
    }
  }

  /// Returns the planes in one contiguous buffer.
  private func contiguousBuffer(_ layout: PlanarLayout, _ planes: [[UInt8]]) -> [UInt8] {
    var picture = [UInt8](repeating: 1, count: layout.bytes)
    // The allocations end at the last pixel, because no padding after it is read.
    let sources = zip(planes, layout.planes).map { plane, known in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: known.extent, alignment: 1)
      memory.copyBytes(from: plane.prefix(known.extent))
      return memory
    }
    defer { for memory in sources { memory.deallocate() } }
    picture.withUnsafeMutableBytes { layout.gather(sources.map { UnsafeRawBufferPointer($0) }, into: $0) }
    return picture
  }

  @Test(
    arguments: [("NM12", "NV12", [4, 4]), ("YM12", "YU12", [4, 2, 2]), ("YM21", "YV12", [4, 2, 2])],
    [0, 3]
  )
  func `gathers separate planes into one buffer without row padding`(
    format: (name: String, whole: String, rowBytes: [Int]),
    gap: Int
  ) throws {
    let strides = format.rowBytes.map { $0 + gap }
    let pixels = try #require(PixelFormat(named: format.name))
    let layout = try #require(PlanarLayout(pixels, width: 4, height: 4, strides: strides))
    #expect(layout.pixels.description == format.whole && layout.bytes == 24)
    func planes(_ gap: Int) -> [[UInt8]] {
      format.rowBytes.indices.map { index in
        let bytes = format.rowBytes[index]
        return Self.plane(UInt8(index), rowBytes: bytes, rows: index == 0 ? 4 : 2, stride: bytes + gap)
      }
    }
    #expect(contiguousBuffer(layout, planes(gap)) == planes(0).flatMap(\.self))
  }

  @Test func `rejects contiguous formats, wrong plane counts and odd sizes`() throws {
    let apart = try #require(PixelFormat(named: "NM12"))
    #expect(PlanarLayout(PixelFormat("NV12"), width: 4, height: 4, strides: [4]) == nil)
    #expect(PlanarLayout(apart, width: 4, height: 4, strides: [4]) == nil)
    #expect(PlanarLayout(apart, width: 4, height: 4, strides: [4, 4, 4]) == nil)
    #expect(PlanarLayout(apart, width: 5, height: 4, strides: [5, 5]) == nil)
    // A stride of 0, which some drivers report, means rows without padding.
    #expect(PlanarLayout(apart, width: 4, height: 4, strides: [0, 0])?.planes.map(\.stride) == [4, 4])
  }
}
