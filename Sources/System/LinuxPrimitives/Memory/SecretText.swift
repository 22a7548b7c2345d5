// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Secrets as C strings: zero-terminated memory from malloc(3).
package enum SecretText {
  /// Returns a copy that the receiver must erase and free, or `nil` if memory is exhausted.
  package static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
    guard let memory = calloc(bytes.count + 1, 1) else { return nil }
    if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: bytes.count) }
    return memory.assumingMemoryBound(to: CChar.self)
  }

  /// Erases and frees a C string. `nil` is ignored.
  package static func wipeAndFree(_ text: UnsafeMutablePointer<CChar>?) {
    guard let text else { return }
    explicit_bzero(text, strlen(text))
    free(text)
  }
}
