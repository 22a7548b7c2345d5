// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// What the person allows sessions to take, in one file of the state root, written whole or not at all.
package struct QuotaStore: Sendable {
  private let root: StateRoot

  /// The quotas of a state root.
  package init(_ root: StateRoot) { self.root = root }

  /// What holds; what is standard, if there is no file.
  package func read() throws(StoreError) -> StorageQuota {
    guard let value = try Document.read(root.quotaFile) else { return StorageQuota() }
    do { return try StorageQuota(json: value) } catch { throw .damaged(path: root.quotaFile, error) }
  }

  /// Changes what holds, excluding everybody else who does, and gives it.
  package func change(_ body: (inout StorageQuota) -> Void) throws(StoreError) -> StorageQuota {
    // Of a directory that is there in every root, and in which nobody else locks for long.
    let lock = try lockDirectory(root.path)
    var quota = try read()
    body(&quota)
    try Document.write(quota.json, to: root.quotaFile)
    _ = lock
    return quota
  }
}

/// What there is of one thing, and how much there may be.
package struct QuotaStanding: Sendable, Hashable {
  /// What waits for the app.
  package var used: AppQuota
  /// How much may.
  package var limit: AppQuota
  /// The file system of the state root.
  package var space: FileSystemSpace
  /// How much of it no session takes.
  package var reserve: FreeReserve

  /// How it stands with an app, under a policy that wants this many bytes to stay free. Only what is limited is counted:
  /// records are not read for nothing.
  package static func of(
    _ app: AppStore,
    counting everything: Counting = .limited,
    policyReserve: Int64 = 0
  ) throws(StoreError) -> QuotaStanding {
    let quota = try QuotaStore(app.root).read()
    let limit = quota.quota(of: app.id)
    let space = try system { () throws(SystemCallError) in try FileSystemSpace.of(app.root.path) }
    var used = AppQuota(bytes: 0, files: 0, sessions: 0)
    if everything == .all || limit != AppQuota() {
      used = try waiting(
        for: app,
        everything == .all || limit.bytes != nil || limit.files != nil ? .all : .limited
      )
    }
    return QuotaStanding(
      used: used,
      limit: limit,
      space: space,
      reserve: quota.reserve(of: space.total, app: app.id).raised(to: policyReserve, by: .policy)
    )
  }

  /// What is counted.
  package enum Counting: Sendable {
    /// Everything.
    case all
    /// What there is a limit for.
    case limited
  }

  /// What waits for an app.
  private static func waiting(for app: AppStore, _ counting: Counting) throws(StoreError) -> AppQuota {
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
