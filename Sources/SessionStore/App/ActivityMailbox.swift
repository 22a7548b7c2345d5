// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives

/// The mailbox of an app, from the host's side: what the app is told when it is opened.
///
/// One delivery is one file, which appears whole. The app takes it by renaming it, so whoever's rename succeeds
/// has it.
package struct ActivityMailbox {
  private let app: AppStore

  /// The mailbox of this app.
  package init(_ app: AppStore) { self.app = app }

  /// Puts a delivery into the mailbox, durably, unless the one with this id is there or is being taken.
  ///
  /// A delivery that the app has taken and is done with leaves nothing, so each is written by one writer, once; that of
  /// a session comes by the hand-over of its content instead, which makes it exactly once whatever dies.
  @discardableResult
  package func write(_ delivery: AppDelivery) throws(StoreError) -> Bool {
    try StateRoot.prepareDirectory(app.activitiesDirectory)
    let directory = app.activitiesDirectory
    let lock = try lockDirectory(directory)
    defer { _ = lock }
    let known = try system { () throws(SystemCallError) in try FileSystem.names(in: directory) }
    if known.contains(where: { $0.hasSuffix("\(delivery.id).json") || $0 == ".taken-\(delivery.id)" }) {
      return false
    }
    let temporary = "\(directory)/.new-\(delivery.id)"
    try system { () throws(SystemCallError) in
      // What a writer that died has left under this name was never seen by anybody.
      try FileSystem.replaceContents(temporary, with: delivery.json.bytes())
      try FileSystem.rename(temporary, to: "\(directory)/\(delivery.fileName)", .noReplace)
      try FileSystem.synchronizeDirectory(directory)
    }
    return true
  }
}

/// What the app of a session is to be told when the session's content is there.
///
/// It waits in the session's own directory and is moved into the mailbox by a step of the hand-over. One rename is both
/// the delivery and the mark that it is made, so recovery neither loses nor repeats it.
package enum PendingDelivery {
  /// Writes it down, durably. The caller holds the session's lock.
  package static func note(_ delivery: AppDelivery, in places: SessionPlaces) throws(StoreError) {
    try Document.write(delivery.json, to: places.deliveryFile)
  }

  /// What was written down; nil if nothing was, or it has been delivered.
  static func read(_ places: SessionPlaces) throws(StoreError) -> AppDelivery? {
    let path = places.deliveryFile
    guard let value = try Document.read(path) else { return nil }
    do { return try AppDelivery(json: value) } catch { throw .damaged(path: path, .syntax("\(error)")) }
  }
}
