// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Microphones
import Testing

@Suite struct ToneSourceTests {
  /// An independent implementation of the documented tone, with exact fractions.
  static let oracle = """
    import sys
    from fractions import Fraction
    rate, channels, moments = map(int, sys.argv[1:])
    for moment in range(moments):
        for channel in range(channels):
            turn = Fraction(moment * 440 * (channel + 1), rate) % 1
            place = int(turn * 4 * 8192)
            print(place if place < 8192 else 16384 - place if place < 24576 else place - 32768)
    """

  @Test(.enabled(if: Python.isAvailable), arguments: [(48000, 1), (44100, 2), (8000, 8)])
  func `generates a triangle wave that matches an independent calculation`(rate: Int, channels: Int) throws {
    let source = try SoundSourceOpener.tone("tone:\(rate)x\(channels)")
    let block = TestBlock(source.geometry)
    var samples: [Int16] = []
    let stop = try StopSignal()
    for _ in 0..<3 {
      #expect(try source.next(into: block.bytes, stop: stop) == .block(frames: rate / 100))
      samples += block.samples(rate / 100)
    }
    let expected = try Python.lines(Self.oracle, "\(rate) \(channels) \(3 * (rate / 100))")
    #expect(samples.map { "\($0)" } == expected)
  }

  @Test func `continues a tone without a discontinuity after any length of time`() {
    for rate in [8000, 48000] {
      #expect(ToneSource.sample(UInt64(rate) * 1_000_000_007, 0, rate: rate) == 0)
      #expect(
        ToneSource.sample(UInt64(rate) * 1_000_000_007 + 5, 1, rate: rate)
          == ToneSource.sample(5, 1, rate: rate)
      )
    }
  }

  @Test(arguments: [
    "tone:", "tone:x", "tone:7999", "tone:192001", "tone:48000x0", "tone:48000x9", "tone:1x1x1",
  ])
  func `rejects an invalid tone specification with an example of a valid one`(text: String) throws {
    let error = #expect(throws: SoundSourceError.self) { try SoundSourceOpener.tone(text) }
    #expect(error?.reason == .tone && "\(error.map { "\($0)" } ?? "")".contains("tone:48000x2"))
  }

  @Test func `parses a microphone specification by its prefix`() {
    #expect(MicrophoneSpecification("none") == .none)
    #expect(MicrophoneSpecification("tone:8000") == .tone("tone:8000"))
    #expect(MicrophoneSpecification("alsa:plughw:1,0") == .device("plughw:1,0"))
    #expect(MicrophoneSpecification("./tone") == .file("./tone"))
    #expect(MicrophoneSpecification("tones.wav") == .file("tones.wav"))
  }
}
