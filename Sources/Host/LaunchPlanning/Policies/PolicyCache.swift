// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A cache of the policies that this process has resolved, by their documents.
///
/// The result depends only on the text of a document, the name in its messages, and the documents that
/// Darkroom ships in the executable. So a server need not resolve a document for every launch. Cached values
/// also compare fast, because equal policies are the same value.
final class PolicyCache: Sendable {
  /// A resolved document.
  private struct Entry {
    let source: String
    let text: [UInt8]
    let found: FoundPolicy
  }

  /// The maximum number of entries. A host has few apps.
  static let capacity = 16

  /// The entries, most recently used first.
  private let entries = Mutex<[Entry]>([])

  /// The number of entries.
  var count: Int { entries.withLock { $0.count } }

  /// Returns the cached policy of a document, or `nil` if the document is not in the cache.
  func policy(_ text: [UInt8], source: String) -> FoundPolicy? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.source == source && $0.text == text }) else {
        return nil
      }
      if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
      return entries[0].found
    }
  }

  /// Adds the policy of a document.
  func keep(_ found: FoundPolicy, of text: [UInt8], source: String) {
    entries.withLock { entries in
      entries.insert(Entry(source: source, text: text, found: found), at: 0)
      if entries.count > Self.capacity { entries.removeLast() }
    }
  }
}
