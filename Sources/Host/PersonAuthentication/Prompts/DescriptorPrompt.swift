// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Takes each answer from the next line of a descriptor, for programs: nobody is asked.
package final class DescriptorPrompt: PasswordPrompt {
  private let number: Int32

  /// Reads from a descriptor that the caller keeps open.
  package init(_ number: Int32) { self.number = number }

  package func ask(_ question: PromptQuestion, _ patience: Patience) -> PromptAnswer {
    var secret = SecretBytes()
    guard let descriptor = try? Descriptor.duplicate(of: number) else {
      return .unavailable(
        "descriptor \(number) is not open; give the number of one that is, with --passcode-fd"
      )
    }
    var byte: UInt8 = 0
    while true {
      switch patience.wait(for: [descriptor.rawValue]) {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .ready: break
      }
      // One byte at a time: what follows the line belongs to the next question.
      let outcome = try? withUnsafeMutableBytes(of: &byte) { bytes throws(SystemCallError) in
        try descriptor.read(into: bytes)
      }
      switch outcome {
      case .bytes where byte == UInt8(ascii: "\n"): return .secret(secret)
      case .bytes:
        // A zero would end the text for PAM, and is no part of an HMAC key for scrypt: two answers would be the same.
        guard byte != 0, secret.append(byte) else {
          return .unavailable("an answer takes at most \(SecretBytes.capacity) bytes, none of them zero")
        }
      case .end where secret.count > 0: return .secret(secret)
      case .end, nil:
        return .unavailable(
          "descriptor \(number) has no further line; write one line for each question to it"
        )
      case .wouldBlock: break
      }
    }
  }

  package func tell(_ text: String) {}

  package func putBack() {}
}
