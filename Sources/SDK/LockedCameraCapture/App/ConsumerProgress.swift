// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The record of the updates that a named consumer has received; `content watch --consumer` of the host uses
/// the same file.
struct ConsumerProgress: Sendable {
  private let ledger: NameLedger

  /// Opens the record and locks it against other consumers.
  ///
  /// - Throws: ``LockedCameraCaptureError`` with the code `consumerBusy` if another process or task has
  ///   locked it.
  init(_ path: String) throws {
    guard let ledger = try Self.open(path) else {
      throw LockedCameraCaptureError(
        .consumerBusy,
        "another process watches the content as \(FileSystem.lastComponent(path)); stop that process, or choose another name"
      )
    }
    self.ledger = ledger
  }

  /// Opens the file, and creates its directory for the first consumer.
  private static func open(_ path: String) throws(SystemCallError) -> NameLedger? {
    try ContentDirectory(path: FileSystem.directoryName(path)).makeIfMissing()
    return try NameLedger.open(path)
  }

  /// Returns the first updates for the consumer: the known sessions, then the removed ones, then the new
  /// ones.
  func initialUpdates(_ urls: [URL], in content: ContentDirectory) -> [LockedCameraCaptureManager
    .SessionContentUpdate]
  {
    let reported = ledger.names
    let existing = Set(urls.map(\.lastPathComponent))
    let removed = reported.subtracting(existing).sorted()
    return [.initial(urls: urls.filter { reported.contains($0.lastPathComponent) })]
      + removed.map { .removed(url: content.url($0)) }
      + urls.filter { !reported.contains($0.lastPathComponent) }.map { .added(url: $0) }
  }

  /// Records the delivery of an update.
  ///
  /// The file is synchronized to disk only after the last update of a batch.
  func record(
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
