// SPDX-License-Identifier: Apache-2.0

/// The loader's cache of library paths (`/etc/ld.so.cache`, ldconfig(8)).
package struct LoaderCache: Sendable {
  /// The maximum file size that is read.
  package static let limit = 1 << 24

  private static let magic = Array("glibc-ld.so.cache1.1".utf8)
  private static let headerLength = 48
  private static let entryLength = 24
  /// The maximum length of a name or path.
  private static let longestText = 4096

  private let bytes: [UInt8]
  private let count: Int

  /// Creates a cache from the bytes of the file, or returns `nil` if they are not in the format of glibc 2.2
  /// and later.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerLength, bytes.starts(with: Self.magic) else { return nil }
    self.bytes = bytes
    let room = (bytes.count - Self.headerLength) / Self.entryLength
    count = min(Int(bytes[...].number(at: Self.magic.count, count: 4)), room)
  }

  /// Returns the paths of the libraries with a name.
  package func paths(of name: String) -> [String] {
    (0..<count).compactMap { index in
      let entry = bytes.dropFirst(Self.headerLength + index * Self.entryLength)
      guard isText(name, at: entry.number(at: 4, count: 4)) else { return nil }
      return text(at: entry.number(at: 8, count: 4))
    }
  }

  private func isText(_ text: String, at place: UInt64) -> Bool {
    let found = bytes.dropFirst(Int(clamping: place))
    return found.starts(with: text.utf8) && found.dropFirst(text.utf8.count).first == 0
  }

  private func text(at place: UInt64) -> String? {
    let found = bytes.dropFirst(Int(clamping: place)).prefix(Self.longestText)
    return found.firstIndex(of: 0).flatMap { String(validating: found[..<$0], as: UTF8.self) }
  }
}
