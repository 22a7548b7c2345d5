// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
internal import LinuxPrimitives

/// Where an app finds what it is opened for: one file a delivery, which one taker gets.
///
/// A taker locks the file, then renames it; so a second one either finds the lock held or the name gone. What a taker
/// that was killed has renamed and not finished is free again, because its lock has died with it.
package struct Mailbox: Sendable {
  /// What the name of a delivery begins with once somebody takes it.
  static let takenPrefix = ".taken-"
  /// The largest file that is read: an activity and an app context, laid out with spaces.
  private static let limits = JSONLimits(bytes: 1 << 18, depth: 48)

  private let app: AppStore

  /// The mailbox of an app.
  package init(_ app: AppStore) { self.app = app }

  /// The directory that changes when a delivery comes or is taken.
  package var directory: String { app.activitiesDirectory }

  /// Writes a delivery durably, and wholly or not at all. One whose file is there already is not written again.
  package func post(_ delivery: AppDelivery) throws(StoreError) {
    try app.prepare()
    let path = "\(directory)/\(delivery.fileName)"
    while try !attempt(delivery, path) {}
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(directory) }
  }

  /// Writes a delivery; false: its file was taken for one that a crash had left, while it was not locked.
  private func attempt(_ delivery: AppDelivery, _ path: String) throws(StoreError) -> Bool {
    let temporary = UnfinishedFile.path(in: directory)
    do {
      guard let file = try UnfinishedFile.make(temporary) else { return false }
      try file.writeAll(delivery.json.bytes(.compact))
      try file.synchronize()
      // The app takes it by a lock as soon as it has its name.
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

  /// Whether a delivery still waits for somebody who takes it.
  package func isWaiting(_ delivery: AppDelivery) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in
      try FileSystem.status("\(directory)/\(delivery.fileName)") != nil
    }
  }

  /// Takes the oldest delivery that nobody else has; nil if there is none.
  package func takeNext() throws(StoreError) -> TakenDelivery? {
    // What somebody left behind is older than what waits: it was the oldest once.
    let names = try names()
    for name in names.filter(Self.isTaken) + names.filter({ !$0.hasPrefix(".") && $0.hasSuffix(".json") }) {
      if let taken = try take(name) { return taken }
    }
    return nil
  }

  private func names() throws(StoreError) -> [String] {
    try system { () throws(SystemCallError) in try FileSystem.names(in: directory) }
  }

  private static func isTaken(_ name: String) -> Bool { name.hasPrefix(takenPrefix) }

  /// Claims one file; nil if somebody else has it, or had it.
  private func take(_ name: String) throws(StoreError) -> TakenDelivery? {
    let path = "\(directory)/\(name)"
    let lock: FileLock?
    do { lock = try FileLock.claim(path, making: false) } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    guard let lock else { return nil }
    let taken = "\(directory)/\(Self.takenPrefix)\(SessionID.random())"
    do { try FileSystem.rename(path, to: taken, .noReplace) } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    return TakenDelivery(try read(taken), path: taken, lock: lock)
  }

  /// Reads what was taken; what is no delivery is kept aside, so that it is named once and hinders nobody.
  private func read(_ path: String) throws(StoreError) -> AppDelivery {
    let fault: DocumentFault
    do throws(StoreError) {
      guard let value = try Document.read(path, limit: Self.limits) else {
        throw .damaged(path: path, .missing)
      }
      do { return try AppDelivery(json: value) } catch {
        throw .damaged(path: path, .member("\(error)", expected: "that of a delivery"))
      }
    } catch {
      guard case .damaged(_, let found) = error else { throw error }
      fault = found
    }
    let aside = "\(directory)/.damaged-\(Randomness.hexadecimal(bytes: 8))"
    try system { () throws(SystemCallError) in try FileSystem.rename(path, to: aside, .noReplace) }
    throw .damaged(path: aside, fault)
  }
}

/// A delivery that nobody else gets as long as this value lives, and nobody at all after ``finish()``.
package struct TakenDelivery: ~Copyable, Sendable {
  /// What was delivered.
  package let delivery: AppDelivery
  private let path: String
  private let lock: FileLock

  /// Keeps what was taken.
  init(_ delivery: AppDelivery, path: String, lock: consuming FileLock) {
    self.delivery = delivery
    self.path = path
    self.lock = lock
  }

  /// The app has it: it is gone for good. Without this call the delivery is free again when the value goes away.
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
  /// A new delivery, made at this moment.
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
