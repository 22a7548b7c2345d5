// SPDX-License-Identifier: Apache-2.0

import Policies
import Refusals
import SandboxPolicy
import Testing

/// Creates policies, denied calls and refusals for tests.
enum RefusalFixture {
  /// The shipped policies, parsed once because some tests resolve hundreds of documents.
  static let library = Result { try PolicyLibrary(texts: ShippedPolicies.texts) }

  /// Returns a shipped policy.
  static func policy(_ name: String) throws -> ResolvedPolicy {
    try #require(try library.get().policy(named: name))
  }

  /// Returns a denied call as the kernel reports it.
  ///
  /// `memory` has the contents of memory at each pointer argument, by argument index.
  static func call(
    _ name: String,
    _ arguments: [UInt64],
    memory: [Int: [UInt8]] = [:],
    program: String = "python3"
  ) throws -> DeniedCall {
    let pieces = CallDecoder.requests(call: name, arguments: arguments).map { request in
      MemoryContents(request: request, bytes: memory[request.argument] ?? [])
    }
    return DeniedCall(
      number: try #require(SystemCallTable.native.numbers[name], "\(name) is not a native system call"),
      arguments: arguments,
      thread: 4711,
      program: program,
      at: 951_782_400_250,
      memory: pieces
    )
  }

  /// Returns a refusal under a shipped policy.
  static func refusal(
    _ name: String,
    _ arguments: [UInt64],
    memory: [Int: [UInt8]] = [:],
    policy: String = "capture"
  ) throws -> Refusal {
    Refusal(try call(name, arguments, memory: memory), policy: try self.policy(policy))
  }

  /// Returns the first position of a text in a document in the notation of origins.
  static func position(of text: String, in source: String, _ document: String? = nil) throws -> String {
    let shipped = ShippedPolicies.texts.first { $0.source == source }?.text
    let bytes = document.map { Array($0.utf8) } ?? shipped ?? []
    let found = bytes.indices.first { bytes[$0...].starts(with: text.utf8) }
    let before = bytes[..<(try #require(found, "\(text) is not in \(source)"))]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return "\(source):\(line):\(before.count - start + 1)"
  }

  /// Returns a text with a terminating zero byte.
  static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  /// Returns a number in little-endian byte order.
  static func bytes(_ value: UInt64, count: Int = 8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
