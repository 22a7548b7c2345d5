// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import Testing

/// A deterministic generator (SplitMix64).
struct SplitMix64: RandomNumberGenerator {
  /// The position in the sequence.
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct RandomCommandLineTests {
  /// Arguments that are valid or nearly valid.
  private static let fragments = [
    "exec", "list", "content", "export", "install", "run", "help", "--", "-", "--root", "--root=", "--json",
    "-a",
    "-ax", "-vq", "-vqe", "=", "A=1", "--env", "--env=A=", "-e", "--app=x", "--help", "-h", "--version",
    "--count",
    "3", "99999999999999999999", "é", "👩‍👩‍👧", "\u{301}", "\r\n", "\0", "1.5m", "", " ", "--=", "---", "-=",
    "long",
  ]

  /// Returns a fragment, two fragments, or random bytes.
  private func argument(_ generator: inout SplitMix64) -> String {
    let piece = Self.fragments.randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return piece + (Self.fragments.randomElement(using: &generator) ?? "")
    case 1:
      let bytes = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      return String(decoding: bytes, as: UTF8.self)
    default: return piece
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `random command lines are parsed or rejected without a crash`(seed: UInt64) {
    var generator = SplitMix64(state: seed)
    var parsedCount = 0
    for _ in 0..<5_000 {
      let arguments = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in argument(&generator) }
      do throws(UsageError) {
        let parsed = try Sample.root.parse(arguments)
        parsedCount += 1
        #expect(arguments.suffix(parsed.rest.count) == parsed.rest[...], "\(arguments)")
        #expect(CommandPath(Sample.root, parsed.names) == parsed.path)
      } catch {
        #expect(error.description.contains("--help"))
        if let position = error.position {
          #expect((1...arguments.count).contains(position), "\(arguments): \(error)")
        }
      }
    }
    // Enough random command lines must parse to reach the code after parsing.
    #expect(parsedCount > 100)
  }

  @Test(arguments: [UInt64(5), 6])
  func `random values are parsed or rejected without a crash`(seed: UInt64) {
    var generator = SplitMix64(state: seed)
    let letters = Array("0123456789.. smhKMGiBkn-+e")
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<28, using: &generator)
      let text = String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "0" })
      if let duration = try? DurationText.parse(text) { #expect(duration >= .zero, "\(text)") }
      if let count = try? ByteCount(parsing: text) {
        #expect((try? ByteCount(parsing: count.description)) == count, "\(text)")
      }
    }
  }
}
