// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Microphones
import Testing

/// Returns a WAV file according to the specification of the format.
func wave(
  _ samples: [Int16],
  rate: Int = 8000,
  channels: Int = 1,
  bits: Int = 16,
  kind: Int = 1,
  dataBytes: Int? = nil,
  before chunk: [UInt8] = []
) -> [UInt8] {
  func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  let data = samples.flatMap { number(Int($0), 2) }
  let form =
    number(kind, 2) + number(channels, 2) + number(rate, 4) + number(rate * channels * 2, 4)
    + number(channels * 2, 2) + number(bits, 2)
  let body =
    Array("WAVEfmt ".utf8) + number(16, 4) + form + chunk + Array("data".utf8)
    + number(dataBytes ?? data.count, 4) + data
  return Array("RIFF".utf8) + number(body.count, 4) + body
}

/// Memory for the samples of a block.
final class TestBlock {
  let bytes: UnsafeMutableRawBufferPointer
  private let geometry: SoundRingGeometry

  /// Creates a block. It is filled with 0xA5, so that unwritten samples are detected.
  init(_ geometry: SoundRingGeometry) {
    self.geometry = geometry
    bytes = .allocate(byteCount: geometry.blockBytes, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
  }

  deinit { bytes.deallocate() }

  /// Returns the samples of the first `frames` frames.
  func samples(_ frames: Int) -> [Int16] {
    (0..<(frames * geometry.channels)).map {
      Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
    }
  }
}

/// Reads a source to its end, and returns the samples and the sizes of the blocks.
func drain(_ source: any SoundSource) throws -> (samples: [Int16], blocks: [Int]) {
  let block = TestBlock(source.geometry)
  let stop = try StopSignal()
  var found: (samples: [Int16], blocks: [Int]) = ([], [])
  while case .block(let frames, _) = try source.next(into: block.bytes, stop: stop) {
    found.samples += block.samples(frames)
    found.blocks.append(frames)
  }
  return found
}
