// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import Microphones
import Testing

@Suite struct WaveFileSourceTests {
  /// Opens a WAV file with these bytes.
  func open(_ bytes: [UInt8]) throws -> any SoundSource {
    let path = "/tmp/sound-source-\(Randomness.hexadecimal(bytes: 8)).wav"
    try FileSystem.replaceContents(path, with: bytes)
    defer { try? FileSystem.unlink(path) }
    return try SoundSourceOpener.file(path)
  }

  /// Returns the reason for which a file with these bytes is rejected, or `nil` if it is accepted.
  func fault(_ bytes: [UInt8]) throws -> SoundSourceError.Reason? {
    do { _ = try open(bytes) } catch let error as SoundSourceError { return error.reason }
    return nil
  }

  /// Returns `count` samples with varying values.
  static func samples(_ count: Int) -> [Int16] {
    (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7919) }
  }

  @Test(arguments: [(80, 1), (163, 1), (320, 2), (0, 1)])
  func `reads every sample of a file, with a shorter last block`(count: Int, channels: Int)
    throws
  {
    let samples = Self.samples(count)
    let source = try open(wave(samples, channels: channels))
    #expect(source.geometry.sampleRate == 8000 && source.geometry.channels == channels)
    let found = try drain(source)
    #expect(found.samples == samples)
    #expect(found.blocks.dropLast().allSatisfy { $0 == 80 })
    #expect(found.blocks.reduce(0, +) == count / channels)
  }

  @Test(.enabled(if: Python.isAvailable)) func `reads a file from an independent writer bit for bit`()
    throws
  {
    let path = "/tmp/sound-source-\(Randomness.hexadecimal(bytes: 8)).wav"
    defer { try? FileSystem.unlink(path) }
    let program = """
      import struct, sys, wave
      file = wave.open(sys.argv[1], "wb")
      file.setparams((2, 2, 44100, 0, "NONE", ""))
      file.writeframes(b"".join(struct.pack("<hh", i, -i) for i in range(1000)))
      file.close()
      """
    _ = try Python.lines(program, "'\(path)'")
    let source = try SoundSourceOpener.file(path)
    #expect(source.geometry.sampleRate == 44100)
    #expect(try drain(source).samples == (0..<1000).flatMap { [Int16($0), Int16(-$0)] })
  }

  @Test func `ignores wrong size fields, and delivers only complete sample frames`() throws {
    let samples = Self.samples(21)
    #expect(try drain(open(wave(samples, dataBytes: 0xFFFF_FFFF))).samples == samples)
    #expect(try drain(open(wave(samples, dataBytes: 7))).samples == Array(samples.prefix(3)))
    #expect(try drain(open(wave(samples, channels: 2))).samples == Array(samples.prefix(20)))
  }

  @Test func `skips chunks before the sample data`() throws {
    let list = Array("LIST".utf8) + [5, 0, 0, 0] + [1, 2, 3, 4, 5, 0]
    #expect(try drain(open(wave(Self.samples(9), before: list))).samples == Self.samples(9))
  }

  @Test func `rejects invalid WAV files with the reason and a fix`() throws {
    #expect(try fault([]) == .empty)
    #expect(
      try fault(Array("OggS then more".utf8)) == .wave(.notWave(firstBytes: Array("OggS then mo".utf8)))
    )
    #expect(try fault(Array(wave([1]).prefix(30))) == .wave(.malformed))
    #expect(try fault(wave([1], bits: 24)) == .wave(.samples(kind: 1, bits: 24)))
    #expect(try fault(wave([1], kind: 3)) == .wave(.samples(kind: 3, bits: 16)))
    #expect(try fault(wave([1], channels: 9)) == .wave(.channels(9)))
    #expect(try fault(wave([1], rate: 4000)) == .wave(.rate(4000)))
    let far = Array("LIST".utf8) + [0, 0, 2, 0] + [UInt8](repeating: 0, count: 1 << 17)
    #expect(try fault(wave([1], before: far)) == .wave(.malformed))
    for fault in [WaveFault.malformed, .rate(1), .channels(9), .samples(kind: 3, bits: 32)] {
      #expect("\(fault)".contains("ffmpeg -i INPUT"))
    }
    #expect(throws: SoundSourceError("/", .notAFile)) { try SoundSourceOpener.file("/") }
  }
}
