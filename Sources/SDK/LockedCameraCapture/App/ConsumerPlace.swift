// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// What a consumer with a name has been told; the host's `content watch --consumer` keeps the same file.
struct ConsumerPlace: Sendable {
  private let ledger: NameLedger

  /// Takes the place, which nobody else has then.
  init(_ path: String) throws {
    guard let ledger = try Self.open(path) else {
      throw LockedCameraCaptureError(
        .consumerBusy,
        "another process is the consumer \(FileSystem.lastComponent(path)); end it, or choose another name"
      )
    }
    self.ledger = ledger
  }

  /// Opens the file in its directory, which is made with the first consumer.
  private static func open(_ path: String) throws(SystemCallError) -> NameLedger? {
    try ContentDirectory(path: FileSystem.directoryName(path)).makeIfMissing()
    return try NameLedger.open(path)
  }

  /// What the consumer is to be told first, of all that is there: what it knows, what is gone, and what is new.
  func catchUp(_ urls: [URL], in content: ContentDirectory) -> [LockedCameraCaptureManager
    .SessionContentUpdate]
  {
    let known = ledger.names
    let here = Set(urls.map(\.lastPathComponent))
    let gone = known.subtracting(here).sorted()
    return [.initial(urls: urls.filter { known.contains($0.lastPathComponent) })]
      + gone.map { .removed(url: content.url($0)) }
      + urls.filter { !known.contains($0.lastPathComponent) }.map { .added(url: $0) }
  }

  /// Remembers that the consumer was told; with the last of several at once that becomes durable.
  func remember(
    _ update: LockedCameraCaptureManager.SessionContentUpdate,
    isLast: Bool
  ) throws(SystemCallError) {
    switch update {
    case .initial: break
    case .added(let url): try ledger.insert([url.lastPathComponent])
    case .removed(let url): try ledger.remove([url.lastPathComponent])
    }
    if isLast { try ledger.synchronize() }
  }
}
