// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Testing

/// A slot in ordinary memory.
final class TestSlot {
  /// Where its planes are.
  let layout: FrameRingGeometry
  /// Its bytes.
  let bytes: UnsafeMutableRawBufferPointer

  /// Makes a slot for the frames of a source.
  convenience init(_ geometry: FrameGeometry) throws { try self.init(geometry.ringGeometry()) }

  /// Makes a slot with this layout, filled with a value that no plane should keep by chance.
  init(_ layout: FrameRingGeometry) {
    self.layout = layout
    bytes = .allocate(byteCount: layout.slotStride, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
  }

  deinit { bytes.deallocate() }

  /// The pixels without gaps, as ffmpeg writes them.
  var pixels: [UInt8] { planes.flatMap { $0 } }

  /// The pixels of each plane without gaps.
  var planes: [[UInt8]] {
    layout.planes.map { plane in
      (0..<plane.rows).flatMap { row in
        let start = plane.offset + row * plane.stride
        return Array(bytes[start..<(start + plane.rowBytes)])
      }
    }
  }

  /// The number that the test pattern shows.
  var number: UInt32 { TestPatternSource.number(in: UnsafeRawBufferPointer(bytes), layout: layout) }
}

/// The same planes further apart: rows and planes with gaps between them.
func spreadLayout(_ geometry: FrameRingGeometry) throws -> FrameRingGeometry {
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

/// Opens a file as a source.
func open(_ path: String) throws -> any FrameSource {
  try FrameSourceOpener.open(path, stop: StopSignal())
}

/// The error with which opening a source, or reading its first hundred frames, ends.
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

/// A stream of frames from bytes in memory.
func stream(_ bytes: [UInt8], name: String = "stream") throws -> any FrameSource {
  let file = try MemoryFile.makeSealed(name: "stream", bytes: bytes)
  return try FrameSourceOpener.open(file, name: name, stop: StopSignal())
}

/// How far two pictures are apart: the mean and the largest difference of a sample.
func difference(_ one: [UInt8], _ other: [UInt8]) -> (mean: Double, largest: Int) {
  guard one.count == other.count, !one.isEmpty else { return (.infinity, .max) }
  let differences = zip(one, other).map { abs(Int($0) - Int($1)) }
  return (Double(differences.reduce(0, +)) / Double(one.count), differences.max() ?? 0)
}
