// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What the person types where nobody can see it, until they are done.
struct TypedAnswer: ~Copyable {
  private var secret = SecretBytes()
  /// How many characters there are.
  private(set) var characters = 0

  /// What a key has done.
  enum Effect {
    /// Nothing.
    case nothing
    /// There is a character more or fewer.
    case changed
    /// The person is done.
    case finished
  }

  /// Takes a key; the bytes are its number, a space, and what it types.
  mutating func take(_ bytes: some Collection<UInt8>) -> Effect {
    guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return .nothing }
    let text = bytes[bytes.index(after: space)...]
    switch text.first {
    case nil: return .nothing
    case 0x0D, 0x0A: return secret.count > 0 ? .finished : .nothing
    case 0x08, 0x7F:
      secret.removeLastCharacter()
      characters = max(0, characters - 1)
    // Escape, and what clears a line at a terminal (^U).
    case 0x1B, 0x15: removeAll()
    case .some(0..<0x20): return .nothing
    case .some:
      guard secret.count + text.count < SecretBytes.capacity else { return .nothing }
      for byte in text { _ = secret.append(byte) }
      characters += 1
    }
    return .changed
  }

  /// Forgets it.
  mutating func removeAll() {
    secret.removeAll()
    characters = 0
  }

  /// How many bytes there are.
  var count: Int { secret.count }

  /// What was typed, to be seen; of the first so many bytes only that there are characters.
  borrowing func text(hiding hidden: Int) -> String {
    secret.withBytes { bytes in
      // The first byte of each character of UTF-8 is none that goes on with one.
      let dots = bytes.prefix(hidden).count { $0 & 0xC0 != 0x80 }
      return String(repeating: "•", count: dots) + String(decoding: bytes.dropFirst(hidden), as: UTF8.self)
    }
  }

  /// Writes it to whoever asks, as a line; false: it has no room.
  borrowing func send(to answers: HeldDescriptor) -> Bool {
    let isSent = secret.withBytes { bytes in
      (try? answers.descriptor.write(bytes)).flatMap { $0 } == bytes.count
    }
    let end = withUnsafeBytes(of: UInt8(ascii: "\n")) { try? answers.descriptor.write($0) }
    return isSent && end.flatMap { $0 } == 1
  }
}
