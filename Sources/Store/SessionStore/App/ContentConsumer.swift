// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The persistent state of a named content consumer.
///
/// Because the state survives the consumer process, each change is reported to the consumer only once.
struct ContentConsumer {
  private let ledger: NameLedger

  /// Opens the state of a consumer exclusively.
  ///
  /// - Throws: ``StoreError/consumerBusy(app:consumer:)`` if another process has it open.
  init(_ name: String, of app: AppStore) throws(StoreError) {
    guard FileSystem.isPortableName(name) else { throw .invalidConsumerName(name) }
    try StateRoot.prepareDirectory(app.consumersDirectory)
    let path = "\(app.consumersDirectory)/\(name)"
    guard let ledger = try system({ () throws(SystemCallError) in try NameLedger.open(path) }) else {
      throw .consumerBusy(app: app.id, consumer: name)
    }
    self.ledger = ledger
  }

  /// The sessions that were reported to the consumer as added and not yet as removed.
  var known: Set<SessionID> { Set(ledger.names.compactMap(SessionID.init)) }

  /// Records that an update was reported.
  ///
  /// Of several updates in a batch, only the last one synchronizes the file: an fsync for each of thousands
  /// of updates would dominate the cost.
  func record(_ update: ContentUpdate, isLast: Bool) throws(StoreError) {
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
