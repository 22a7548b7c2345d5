// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

/// The pending notification of a session's app.
///
/// It is stored in the session directory, and the migration moves it into the mailbox after the content. The
/// rename is both the delivery and the evidence of it, so that recovery neither loses nor repeats a
/// notification.
package enum PendingDelivery {
  /// Writes a notification durably. The caller must hold the session's lock.
  package static func write(_ delivery: AppDelivery, in places: SessionPaths) throws(StoreError) {
    try Document.write(delivery.json, to: places.deliveryFile)
  }

  /// Returns the pending notification, or `nil` if there is none or it has been delivered.
  static func read(_ places: SessionPaths) throws(StoreError) -> AppDelivery? {
    try read(places.deliveryFile)
  }

  /// Reads a notification, or returns `nil` if the file does not exist.
  static func read(_ path: String) throws(StoreError) -> AppDelivery? {
    guard let value = try Document.read(path) else { return nil }
    do { return try AppDelivery(json: value) } catch { throw .damaged(path: path, .syntax("\(error)")) }
  }
}
