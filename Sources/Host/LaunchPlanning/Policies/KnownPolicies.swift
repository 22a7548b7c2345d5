// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The policies that this process has resolved of late, by their documents.
///
/// What a document means depends on its text, on what messages call it, and on the documents that come with Darkroom, which
/// are part of the program. So whoever has resolved it once need not again, as a server would at every press. And
/// whatever is compared with a policy later is seen to be equal at a glance, because it is the same value.
final class KnownPolicies: Sendable {
  /// What is known of a document.
  private struct Entry {
    let source: String
    let text: [UInt8]
    let found: FoundPolicy
  }

  /// How many are kept: a host has few apps.
  static let most = 16

  /// The latest in front.
  private let entries = Mutex<[Entry]>([])

  /// How many are known.
  var count: Int { entries.withLock { $0.count } }

  /// What a document was resolved to; nil if it was not, or if that is long ago.
  func policy(_ text: [UInt8], source: String) -> FoundPolicy? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.source == source && $0.text == text }) else {
        return nil
      }
      if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
      return entries[0].found
    }
  }

  /// Keeps what a document was resolved to.
  func keep(_ found: FoundPolicy, of text: [UInt8], source: String) {
    entries.withLock { entries in
      entries.insert(Entry(source: source, text: text, found: found), at: 0)
      if entries.count > Self.most { entries.removeLast() }
    }
  }
}
