// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What one consumer of an app's content has been told, kept by its name, so that it is told each change once although
/// it ends and begins again.
struct ContentConsumer {
  private let ledger: NameLedger

  /// The place of a consumer, which no other process has meanwhile.
  init(_ name: String, of app: AppStore) throws(StoreError) {
    guard FileSystem.isPlainName(name) else { throw .notAConsumer(name) }
    try StateRoot.prepareDirectory(app.consumersDirectory)
    let path = "\(app.consumersDirectory)/\(name)"
    guard let ledger = try system({ () throws(SystemCallError) in try NameLedger.open(path) }) else {
      throw .consumerBusy(app: app.id, consumer: name)
    }
    self.ledger = ledger
  }

  /// The sessions of which it was told that their content is there, and not yet that it is gone.
  var known: Set<SessionID> { Set(ledger.names.compactMap(SessionID.init)) }

  /// Remembers that it was told; with the last of several at once that becomes durable, because a disk takes
  /// longer for each of thousands than everything else.
  func remember(_ update: ContentUpdate, isLast: Bool) throws(StoreError) {
    do {
      switch update {
      case .initial: break
      case .added(let session): try ledger.insert([session.id.description])
      case .removed(let id): try ledger.remove([id.description])
      }
      if isLast { try ledger.synchronize() }
    } catch { throw .system(error) }
  }
}
