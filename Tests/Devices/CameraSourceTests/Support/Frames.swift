// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Testing

/// A frame slot in private memory.
final class TestSlot {
  /// The layout of the slot.
  let layout: FrameRingGeometry
  let bytes: UnsafeMutableRawBufferPointer

  /// Creates a slot for frames of a geometry.
  convenience init(_ geometry: FrameGeometry) throws { try self.init(geometry.ringGeometry()) }

  /// Creates a slot with a layout. It is filled with 0xA5, so that unwritten bytes are detected.
  init(_ layout: FrameRingGeometry) {
    self.layout = layout
    bytes = .allocate(byteCount: layout.slotStride, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
  }

  deinit { bytes.deallocate() }

  /// The pixels of all planes without padding, as ffmpeg writes them.
  var pixels: [UInt8] { planes.flatMap { $0 } }

  /// The pixels of each plane without padding.
  var planes: [[UInt8]] {
    layout.planes.map { plane in
      (0..<plane.rows).flatMap { row in
        let start = plane.offset + row * plane.stride
        return Array(bytes[start..<(start + plane.rowBytes)])
      }
    }
  }

  /// The frame number that the test pattern shows.
  var number: UInt32 { TestPatternSource.frameNumber(in: UnsafeRawBufferPointer(bytes), layout: layout) }
}

/// Returns a layout with the same planes, but with padding after each row and each plane.
func paddedLayout(_ geometry: FrameRingGeometry) throws -> FrameRingGeometry {
  var header = geometry.header
  func put(_ offset: Int, _ value: Int) {
    for index in 0..<4 { header[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
  var offset = 128
  for (index, plane) in geometry.planes.enumerated() {
    put(48 + index * 16, offset)
    put(48 + index * 16 + 4, plane.rowBytes + 24)
    offset += (plane.rowBytes + 24) * plane.rows + 64
  }
  put(16, (offset + 4095) / 4096 * 4096)
  return try header.withUnsafeBytes { try FrameRingGeometry(header: $0, fileBytes: 1 << 30) }
}

/// Opens a source.
func open(_ path: String) throws -> any FrameSource {
  try FrameSourceOpener.open(path, stop: StopSignal())
}

/// Returns the error of opening a source or reading its first hundred frames, or `nil` on success.
func failure(_ body: () throws -> any FrameSource) throws -> FrameSourceError? {
  do {
    let source = try body()
    let slot = try TestSlot(source.geometry)
    for _ in 0..<100 where try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) == .end
    {
      return nil
    }
    return nil
  } catch let error as FrameSourceError {
    return error
  }
}

/// Creates a source from a stream in memory.
func stream(_ bytes: [UInt8], name: String = "stream") throws -> any FrameSource {
  let file = try MemoryFile.makeSealed(name: "stream", bytes: bytes)
  return try FrameSourceOpener.open(file, name: name, stop: StopSignal())
}

/// Returns the mean and the largest difference between the samples of two images.
func difference(_ one: [UInt8], _ other: [UInt8]) -> (mean: Double, largest: Int) {
  guard one.count == other.count, !one.isEmpty else { return (.infinity, .max) }
  let differences = zip(one, other).map { abs(Int($0) - Int($1)) }
  return (Double(differences.reduce(0, +)) / Double(one.count), differences.max() ?? 0)
}
