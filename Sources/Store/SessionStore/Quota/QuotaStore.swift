// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// Storage of quotas, in one file of the state root that is replaced atomically.
package struct QuotaStore: Sendable {
  private let root: StateRoot

  /// Creates the storage of a state root.
  package init(_ root: StateRoot) { self.root = root }

  /// Returns the quotas; the defaults if there is no file.
  package func read() throws(StoreError) -> StorageQuota {
    guard let value = try Document.read(root.quotaFile) else { return StorageQuota() }
    do { return try StorageQuota(json: value) } catch { throw .damaged(path: root.quotaFile, error) }
  }

  /// Changes the quotas and excludes concurrent changes.
  ///
  /// - Returns: The changed quotas.
  package func change(_ body: (inout StorageQuota) -> Void) throws(StoreError) -> StorageQuota {
    // This directory exists in every state root, and no process locks it for long.
    let lock = try lockDirectory(root.path)
    var quota = try read()
    body(&quota)
    try Document.write(quota.json, to: root.quotaFile)
    _ = lock
    return quota
  }
}

/// The usage and limits of an app.
package struct QuotaStatus: Sendable, Hashable {
  /// The usage of delivered content that the app has not taken.
  package var used: AppQuota
  /// The limits on that usage.
  package var limit: AppQuota
  /// The space on the file system of the state root.
  package var space: FileSystemSpace
  /// The space that sessions leave free.
  package var reserve: FreeReserve

  /// Returns the usage and limits of an app, under a policy that requires the given free space in bytes.
  ///
  /// By default, only limited quantities are counted, to avoid reading records.
  package static func of(
    _ app: AppStore,
    counting everything: Counting = .limited,
    policyReserve: Int64 = 0
  ) throws(StoreError) -> QuotaStatus {
    let quota = try QuotaStore(app.root).read()
    let limit = quota.quota(of: app.id)
    let space = try system { () throws(SystemCallError) in try FileSystemSpace.of(app.root.path) }
    var used = AppQuota(bytes: 0, files: 0, sessions: 0)
    if everything == .all || limit != AppQuota() {
      used = try pendingUsage(
        for: app,
        everything == .all || limit.bytes != nil || limit.files != nil ? .all : .limited
      )
    }
    return QuotaStatus(
      used: used,
      limit: limit,
      space: space,
      reserve: quota.reserve(of: space.total, app: app.id).raised(to: policyReserve, by: .policy)
    )
  }

  /// The quantities to count.
  package enum Counting: Sendable {
    /// All quantities.
    case all
    /// The limited quantities.
    case limited
  }

  /// Returns the usage of an app's pending content.
  private static func pendingUsage(for app: AppStore, _ counting: Counting) throws(StoreError) -> AppQuota {
    guard try system({ () throws(SystemCallError) in try FileSystem.status(app.contentDirectory) }) != nil
    else {
      return AppQuota(bytes: 0, files: 0, sessions: 0)
    }
    let content = DeliveredContent(app)
    guard counting == .all else {
      return AppQuota(bytes: 0, files: 0, sessions: Int64(try content.sessionIDs().count))
    }
    let sessions = try content.list()
    return AppQuota(
      bytes: sessions.reduce(0) { saturatingSum($0, $1.bytes) },
      files: sessions.reduce(0) { saturatingSum($0, $1.files) },
      sessions: Int64(sessions.count)
    )
  }
}
