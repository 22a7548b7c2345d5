// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A prompt for programs: it reads each answer as a line from a descriptor and shows nothing.
package final class DescriptorPrompt: PasswordPrompt {
  private let number: Int32

  /// Creates a prompt. The caller keeps the descriptor open.
  package init(_ number: Int32) { self.number = number }

  package func ask(_ question: PromptQuestion, _ timeout: Timeout) -> PromptAnswer {
    var secret = SecretBytes()
    guard let descriptor = try? Descriptor.duplicate(of: number) else {
      return .unavailable(
        "descriptor \(number) is not open; pass an open descriptor with --passcode-fd"
      )
    }
    var byte: UInt8 = 0
    while true {
      switch timeout.wait(for: [descriptor.rawValue]) {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .ready: break
      }
      // Bytes are read singly, because data after the line belongs to the next question.
      let outcome = try? withUnsafeMutableBytes(of: &byte) { bytes throws(SystemCallError) in
        try descriptor.read(into: bytes)
      }
      switch outcome {
      case .bytes where byte == UInt8(ascii: "\n"): return .secret(secret)
      case .bytes:
        // PAM strings end at a zero byte, and HMAC in scrypt ignores trailing zero bytes of the key, so two
        // answers would be equal.
        guard byte != 0, secret.append(byte) else {
          return .unavailable(
            "the answer is longer than \(SecretBytes.capacity) bytes or contains a zero byte"
          )
        }
      case .end where secret.count > 0: return .secret(secret)
      case .end, nil:
        return .unavailable(
          "descriptor \(number) has no further line; write one line for each question"
        )
      case .wouldBlock: break
      }
    }
  }

  package func show(_ text: String) {}

  package func restore() {}
}
