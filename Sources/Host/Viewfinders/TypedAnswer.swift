// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The user's hidden input until it is complete.
struct TypedAnswer: ~Copyable {
  private var secret = SecretBytes()
  /// The number of typed characters.
  private(set) var characters = 0

  /// The effect of a key.
  enum Effect {
    /// The key has no effect.
    case nothing
    /// The number of characters changed.
    case changed
    /// The input is complete.
    case finished
  }

  /// Handles a key. The bytes are its number, a space, and the text that it types.
  mutating func take(_ bytes: some Collection<UInt8>) -> Effect {
    guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return .nothing }
    let text = bytes[bytes.index(after: space)...]
    switch text.first {
    case nil: return .nothing
    case 0x0D, 0x0A: return secret.count > 0 ? .finished : .nothing
    case 0x08, 0x7F:
      secret.removeLastCharacter()
      characters = max(0, characters - 1)
    // Escape, and the key that clears a line in a terminal (Ctrl-U).
    case 0x1B, 0x15: removeAll()
    case .some(0..<0x20): return .nothing
    case .some:
      guard secret.count + text.count < SecretBytes.capacity else { return .nothing }
      for byte in text { _ = secret.append(byte) }
      characters += 1
    }
    return .changed
  }

  /// Discards the input.
  mutating func removeAll() {
    secret.removeAll()
    characters = 0
  }

  /// The number of typed bytes.
  var count: Int { secret.count }

  /// Returns the input as text, in which the characters of the first `hidden` bytes are replaced by dots.
  borrowing func text(hiding hidden: Int) -> String {
    secret.withBytes { bytes in
      // In UTF-8, continuation bytes have the form 10xxxxxx.
      let dots = bytes.prefix(hidden).count { $0 & 0xC0 != 0x80 }
      return String(repeating: "•", count: dots) + String(decoding: bytes.dropFirst(hidden), as: UTF8.self)
    }
  }

  /// Writes the input as a line to the reader of `answers`. Returns `false` if the pipe is full.
  borrowing func send(to answers: HeldDescriptor) -> Bool {
    let isSent = secret.withBytes { bytes in
      (try? answers.descriptor.write(bytes)).flatMap { $0 } == bytes.count
    }
    let end = withUnsafeBytes(of: UInt8(ascii: "\n")) { try? answers.descriptor.write($0) }
    return isSent && end.flatMap { $0 } == 1
  }
}
