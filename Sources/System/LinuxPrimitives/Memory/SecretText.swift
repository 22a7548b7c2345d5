// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Secrets as the C library takes them: memory of malloc(3) that ends with a zero.
package enum SecretText {
  /// A copy that its receiver wipes and frees; nil if there is no memory.
  package static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
    guard let memory = calloc(bytes.count + 1, 1) else { return nil }
    if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: bytes.count) }
    return memory.assumingMemoryBound(to: CChar.self)
  }

  /// Overwrites a text and frees it; nil is no error.
  package static func wipeAndFree(_ text: UnsafeMutablePointer<CChar>?) {
    guard let text else { return }
    explicit_bzero(text, strlen(text))
    free(text)
  }
}
