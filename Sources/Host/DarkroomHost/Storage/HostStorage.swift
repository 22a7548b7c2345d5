// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionStore

/// The limits on the storage that sessions of a state directory use, and its trash.
///
/// A session of an app at a limit is refused. A session that starts below the limit can capture up to it.
/// Running sessions keep the limits with which they started.
public struct HostStorage: Sendable {
  private let root: StateRoot

  /// Creates the storage of a state directory.
  init(_ root: StateRoot) { self.root = root }

  /// Limits on content that an app has not taken. `nil` means that no limit is set.
  public struct Limits: Sendable, Hashable {
    /// The maximum size in bytes.
    public var bytes: Int64?
    /// The maximum number of files.
    public var files: Int64?
    /// The maximum number of sessions.
    public var sessions: Int64?
    /// The space in bytes of the file system that sessions leave free.
    public var reserve: Int64?

    /// Creates limits.
    public init(bytes: Int64? = nil, files: Int64? = nil, sessions: Int64? = nil, reserve: Int64? = nil) {
      (self.bytes, self.files, self.sessions, self.reserve) = (bytes, files, sessions, reserve)
    }
  }

  /// The storage that the sessions of an app use, and the limits that apply.
  public struct Usage: Sendable, Hashable {
    /// The size in bytes of the content that the app has not taken.
    public let bytes: Int64
    /// The number of files of that content.
    public let files: Int64
    /// The number of sessions with such content.
    public let sessions: Int64
    /// The limits that apply: those of the app, completed by those of every app.
    public let limits: Limits
    /// The free space of the file system in bytes.
    public let freeBytes: Int64
    /// The reason why no session of the app can start, with its fix, or `nil` if sessions can start.
    public let refusal: String?
  }

  /// Returns the limits of every app.
  ///
  /// - Throws: ``HostError/store(_:)`` if the settings are damaged.
  public func limits() async throws(HostError) -> Limits {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let quota = try Self.store { () throws(StoreError) in try QuotaStore(root).read() }
      return Limits(quota.standard, quota.reserve)
    }
  }

  /// Returns the limits that are set for an app. A value of `nil` stands for that of every app.
  ///
  /// - Throws: ``HostError/store(_:)`` if the settings are damaged.
  public func limits(of app: String) async throws(HostError) -> Limits {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let quota = try Self.store { () throws(StoreError) in try QuotaStore(root).read() }
      return Limits(quota.apps[app] ?? AppQuota(), quota.reserves[app])
    }
  }

  /// Replaces the limits of every app.
  ///
  /// - Throws: ``HostError/argument(_:)`` if a limit is negative.
  public func setLimits(_ limits: Limits) async throws(HostError) {
    try limits.check()
    try await change { quota in (quota.standard, quota.reserve) = (limits.quota, limits.reserve) }
  }

  /// Replaces the limits that are set for an app. The larger one of its reserve and that of every app
  /// applies.
  ///
  /// - Throws: ``HostError/argument(_:)`` if a limit is negative, or ``HostError/notInstalled(_:_:)`` if the
  ///   app is unknown.
  public func setLimits(_ limits: Limits, of app: String) async throws(HostError) {
    try limits.check()
    let root = root
    try await HostThread.run { () throws(HostError) in
      let known = try Self.store { () throws(StoreError) in
        _ = try root.app(app)
        return try root.appIDs()
      }
      // An empty state directory accepts each app, as the command does.
      if known.isEmpty || known.contains(app) { return }
      do throws(CatalogError) { throw try root.catalog.notInstalled(app) } catch { throw HostError(error) }
    }
    try await change { quota in
      quota.apps[app] = limits.quota == AppQuota() ? nil : limits.quota
      quota.reserves[app] = limits.reserve == 0 ? nil : limits.reserve
    }
  }

  /// Returns the storage that the sessions of an app use.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the ID is invalid, or ``HostError/store(_:)`` if the settings
  ///   are damaged.
  public func usage(of app: String) async throws(HostError) -> Usage {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      try Self.store { () throws(StoreError) in
        let store = try root.app(app)
        let status = try QuotaStatus.of(store, counting: .all)
        return Usage(
          bytes: status.used.bytes ?? 0,
          files: status.used.files ?? 0,
          sessions: status.used.sessions ?? 0,
          limits: Limits(status.limit, status.reserve.bytes),
          freeBytes: status.space.free,
          refusal: StorageRefusal(status, of: store).map { "\($0)" }
        )
      }
    }
  }

  /// Deletes the items in the trash. Removed content disappears at once, and is deleted later.
  ///
  /// - Returns: The number of deleted items.
  ///
  /// - Throws: ``HostError/system(_:)`` if an item cannot be deleted.
  @discardableResult
  public func emptyTrash() async throws(HostError) -> Int {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      try Self.store { () throws(StoreError) in try root.emptyTrash() }
    }
  }

  private func change(_ body: @escaping @Sendable (inout StorageQuota) -> Void) async throws(HostError) {
    let root = root
    try await HostThread.run { () throws(HostError) in
      _ = try Self.store { () throws(StoreError) in try QuotaStore(root).change(body) }
    }
  }

  /// Returns the result of an operation of the store.
  private static func store<Value>(_ body: () throws(StoreError) -> Value) throws(HostError) -> Value {
    do { return try body() } catch { throw HostError(error) }
  }
}

extension HostStorage.Limits {
  /// Creates limits from those of the store.
  fileprivate init(_ quota: AppQuota, _ reserve: Int64?) {
    self.init(bytes: quota.bytes, files: quota.files, sessions: quota.sessions, reserve: reserve)
  }

  /// The limits of the store.
  fileprivate var quota: AppQuota { AppQuota(bytes: bytes, files: files, sessions: sessions) }

  /// Throws an error if a limit is negative.
  fileprivate func check() throws(HostError) {
    guard [bytes, files, sessions, reserve].allSatisfy({ ($0 ?? 0) >= 0 }) else {
      throw .argument(.init("a storage limit is negative; use 0 or more, or nil for no limit"))
    }
  }
}
