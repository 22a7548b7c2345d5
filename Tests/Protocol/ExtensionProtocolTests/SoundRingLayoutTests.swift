// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@Suite struct SoundRingLayoutTests {
  /// Returns a valid header with the 32-bit field at `offset` replaced by `value`.
  func header(_ offset: Int, _ value: UInt32) throws -> [UInt8] {
    var bytes = try SoundRingGeometry(sampleRate: 44100, channels: 2).header
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<(offset + 4), with: $0) }
    return bytes
  }

  @Test func `decodes a sound ring header as encoded`() throws {
    for (rate, channels, slots) in [(8000, 1, 2), (44100, 2, 128), (192_000, 8, 1024)] {
      let geometry = try SoundRingGeometry(sampleRate: rate, channels: channels, slots: slots)
      let read = try geometry.header.withUnsafeBytes {
        try SoundRingGeometry(header: $0, fileBytes: geometry.totalBytes)
      }
      #expect(read == geometry && geometry.slotStride.isMultiple(of: 64))
      #expect(geometry.blockFrames == rate / 100)
    }
  }

  @Test(
    arguments: [
      (0, 0, "magic"), (4, 2, "version"), (8, 64, "headerBytes"), (12, 1, "slots"), (12, 1025, "slots"),
      (16, 0, "slotStride"), (16, 65, "slotStride"), (16, 0xFFFF_FFC0, "slotStride"),
      (20, 7999, "sampleRate"),
      (20, 0xFFFF_FFFF, "sampleRate"), (24, 0, "channels"), (24, 9, "channels"), (28, 2, "format"),
      (32, 0, "blockFrames"), (32, 16385, "blockFrames"), (32, 16384, "slotStride"),
    ] as [(Int, UInt32, String)]
  )
  func `rejects an out-of-range sound ring header field by name`(offset: Int, value: UInt32, name: String)
    throws
  {
    let bytes = try header(offset, value)
    let error = #expect(throws: SoundRingLayoutError.self) {
      try bytes.withUnsafeBytes { try SoundRingGeometry(header: $0, fileBytes: 1 << 30) }
    }
    guard case .field(name, _, _)? = error else {
      Issue.record("\(String(describing: error)) instead of \(name)")
      return
    }
  }

  @Test func `rejects a file shorter than its sound ring header requires`() throws {
    let bytes = try header(28, 1)
    let needed = try SoundRingGeometry(sampleRate: 44100, channels: 2).totalBytes
    #expect(throws: SoundRingLayoutError.tooShort(bytes: needed - 1, needed: needed)) {
      try bytes.withUnsafeBytes { try SoundRingGeometry(header: $0, fileBytes: needed - 1) }
    }
    #expect(throws: SoundRingLayoutError.tooShort(bytes: 100, needed: 4096)) {
      try bytes.prefix(100).withUnsafeBytes { try SoundRingGeometry(header: $0, fileBytes: needed) }
    }
  }
}
