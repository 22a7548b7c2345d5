// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
internal import LinuxPrimitives

/// The mailbox of an app: one file for each delivery, which one process claims.
///
/// A process claims a delivery by locking its file and renaming it. A second process finds the lock held or
/// the name gone. If the claiming process dies before it finishes, its lock is released, and the delivery can
/// be claimed again.
package struct Mailbox: Sendable {
  /// The file name prefix of claimed deliveries.
  static let claimedPrefix = ".taken-"
  /// The limits for reading a file: an indented activity and app context.
  private static let limits = JSONLimits(bytes: 1 << 18, depth: 48)

  private let app: AppStore

  /// Creates the mailbox of an app.
  package init(_ app: AppStore) { self.app = app }

  /// The directory that changes when a delivery is posted or claimed.
  package var directory: String { app.activitiesDirectory }

  /// Posts a delivery atomically and durably. Has no effect if its file already exists.
  package func post(_ delivery: AppDelivery) throws(StoreError) {
    try app.prepare()
    let path = "\(directory)/\(delivery.fileName)"
    while try !attempt(delivery, path) {}
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(directory) }
  }

  /// Tries to post a delivery.
  ///
  /// - Returns: `false` if another process removed the unlocked temporary file as a leftover of a crash.
  private func attempt(_ delivery: AppDelivery, _ path: String) throws(StoreError) -> Bool {
    let temporary = UnfinishedFile.path(in: directory)
    do {
      guard let file = try UnfinishedFile.make(temporary) else { return false }
      try file.writeAll(delivery.json.bytes(.compact))
      try file.synchronize()
      // The app claims the file by locking it as soon as it has its final name.
      UnfinishedFile.release(file)
      try FileSystem.rename(temporary, to: path, .noReplace)
    } catch  where error.errno == .fileExists {
      try? FileSystem.unlink(temporary)
    } catch  where error.call == "renameat2" && error.errno == .noSuchFile {
      return false
    } catch {
      try? FileSystem.unlink(temporary)
      throw .system(error)
    }
    return true
  }

  /// Whether a delivery has not been claimed yet.
  package func isPending(_ delivery: AppDelivery) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in
      try FileSystem.status("\(directory)/\(delivery.fileName)") != nil
    }
  }

  /// Claims the oldest unclaimed delivery, or returns `nil` if there is none.
  package func claimNext() throws(StoreError) -> TakenDelivery? {
    // Deliveries of dead processes come first: each was the oldest when it was claimed.
    let names = try names()
    for name in names.filter(Self.isClaimed) + names.filter({ !$0.hasPrefix(".") && $0.hasSuffix(".json") }) {
      if let taken = try take(name) { return taken }
    }
    return nil
  }

  private func names() throws(StoreError) -> [String] {
    try system { () throws(SystemCallError) in try FileSystem.names(in: directory) }
  }

  private static func isClaimed(_ name: String) -> Bool { name.hasPrefix(claimedPrefix) }

  /// Claims a file, or returns `nil` if another process has claimed it.
  private func take(_ name: String) throws(StoreError) -> TakenDelivery? {
    let path = "\(directory)/\(name)"
    let lock: FileLock?
    do { lock = try FileLock.claim(path, creating: false) } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    guard let lock else { return nil }
    let taken = "\(directory)/\(Self.claimedPrefix)\(SessionID.random())"
    do { try FileSystem.rename(path, to: taken, .noReplace) } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    return TakenDelivery(try read(taken), path: taken, lock: lock)
  }

  /// Reads a claimed delivery. An invalid file is renamed, so that it is reported once and does not block
  /// later deliveries.
  private func read(_ path: String) throws(StoreError) -> AppDelivery {
    let fault: DocumentFault
    do throws(StoreError) {
      guard let value = try Document.read(path, limit: Self.limits) else {
        throw .damaged(path: path, .missing)
      }
      do { return try AppDelivery(json: value) } catch {
        throw .damaged(path: path, .member("delivery", expected: "a valid delivery (\(error))"))
      }
    } catch {
      guard case .damaged(_, let found) = error else { throw error }
      fault = found
    }
    let quarantined = "\(directory)/.damaged-\(Randomness.hexadecimal(bytes: 8))"
    try system { () throws(SystemCallError) in try FileSystem.rename(path, to: quarantined, .noReplace) }
    throw .damaged(path: quarantined, fault)
  }
}

/// A claimed delivery. No other process can claim it while this value exists, or after ``finish()``.
package struct TakenDelivery: ~Copyable, Sendable {
  package let delivery: AppDelivery
  private let path: String
  private let lock: FileLock

  /// Creates a claimed delivery.
  init(_ delivery: AppDelivery, path: String, lock: consuming FileLock) {
    self.delivery = delivery
    self.path = path
    self.lock = lock
  }

  /// Removes the delivery permanently. Without this call, it can be claimed again when this value is
  /// deinitialized.
  package consuming func finish() throws(StoreError) {
    do {
      try FileSystem.unlink(path)
      try FileSystem.synchronizeDirectory(FileSystem.directoryName(path))
    } catch  where error.errno == .noSuchFile {
      return
    } catch { throw .system(error) }
  }
}

extension AppDelivery {
  /// Returns a delivery with a new ID and the current time.
  package static func now(
    _ reason: AppDeliveryReason,
    activity: UserActivity? = nil,
    control: String? = nil,
    appContext: JSONValue = .null
  ) -> AppDelivery {
    AppDelivery(
      id: SessionID.random().description,
      reason: reason,
      activity: activity,
      control: control,
      appContext: appContext,
      createdAt: WallClock.milliseconds
    )
  }
}
