// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

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
    try read(places.deliveryFile)
  }

  /// What was written down in a file; nil if there is none.
  static func read(_ path: String) throws(StoreError) -> AppDelivery? {
    guard let value = try Document.read(path) else { return nil }
    do { return try AppDelivery(json: value) } catch { throw .damaged(path: path, .syntax("\(error)")) }
  }
}
