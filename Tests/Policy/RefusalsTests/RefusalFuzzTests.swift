// SPDX-License-Identifier: Apache-2.0

import JSONText
import Refusals
import SandboxPolicy
import Testing

/// Formats refusals of random calls with random memory as one printable line.
@Suite struct RefusalFuzzTests {
  /// A deterministic generator (SplitMix64), so that failures are reproducible.
  struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// The maximum length of a sentence in bytes: six arguments, including two long texts, and a suggested
  /// policy.
  static let maximumBytes = 3000

  @Test(arguments: ["base", "strict"], 0..<8 as Range<UInt64>)
  func `every sentence about random calls is one printable line of bounded length`(
    _ name: String,
    seed: UInt64
  ) throws {
    var numbers = SplitMix64(state: seed)
    let policy = try RefusalFixture.policy(name)
    let calls = Array(SystemCallTable.native.numbers.values).sorted()
    for _ in 0..<400 {
      let denied = Self.denied(calls, &numbers)
      let refusal = Refusal(denied, policy: policy)
      for text in [refusal.sentence, refusal.reason, refusal.callText, refusal.program, refusal.fix.text] {
        #expect(text.unicodeScalars.allSatisfy(Self.isPrintable), "\(denied)")
        #expect(text.utf8.count < Self.maximumBytes, "\(text.utf8.count) bytes: \(denied)")
      }
      _ = refusal.json.text(.compact)
    }
  }

  /// Returns a call with random arguments and memory.
  private static func denied(_ calls: [Int], _ numbers: inout SplitMix64) -> DeniedCall {
    let number =
      numbers.next() % 16 == 0
      ? Int(truncatingIfNeeded: numbers.next()) : calls.randomElement(using: &numbers) ?? 0
    let arguments = (0..<Int.random(in: 0...7, using: &numbers)).map { _ in Self.argument(&numbers) }
    let call = SystemCallTable.native.names[number] ?? ""
    let memory = CallDecoder.requests(call: call, arguments: arguments).map { request in
      // The memory can be longer than requested, or empty.
      let length = Int.random(in: 0...(request.length + 8), using: &numbers)
      return MemoryContents(request: request, bytes: bytes(length, &numbers))
    }
    return DeniedCall(
      number: number,
      arguments: arguments,
      thread: Int32(truncatingIfNeeded: numbers.next()),
      program: String(decoding: bytes(16, &numbers), as: UTF8.self),
      at: Int64(truncatingIfNeeded: numbers.next()),
      memory: memory
    )
  }

  private static func argument(_ numbers: inout SplitMix64) -> UInt64 {
    switch numbers.next() % 5 {
    case 0: 0
    case 1: numbers.next() % 64
    case 2: 1 << (numbers.next() % 64)
    case 3: UInt64.max - numbers.next() % 4
    default: numbers.next()
    }
  }

  private static func bytes(_ count: Int, _ numbers: inout SplitMix64) -> [UInt8] {
    let style = numbers.next() % 3
    return (0..<count).map { _ in
      let byte = UInt8(truncatingIfNeeded: numbers.next())
      // Text without a zero byte, only control characters, or any bytes.
      return style == 0 ? byte | 0x20 : style == 1 ? byte % 32 : byte
    }
  }

  /// Whether a character is harmless, by a list that is independent of the code under test.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F, 0xD800...0xDFFF:
      false
    default: true
    }
  }
}
