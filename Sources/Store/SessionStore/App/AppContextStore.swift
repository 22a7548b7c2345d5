// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// The app context: at most 4096 bytes of JSON that an app and its extensions share.
package struct AppContextStore: Sendable {
  /// The largest context, in bytes of its compact text.
  package static let limit = 4096

  private let app: AppStore

  /// The context of an app.
  package init(_ app: AppStore) { self.app = app }

  /// The directory that changes when the context does.
  package var directory: String { app.contextDirectory }

  /// The context; nil if none was set.
  package func get() throws(StoreError) -> JSONValue? {
    do { return try Document.read(app.contextFile, limit: JSONLimits(bytes: Self.limit, depth: 32)) } catch {
      guard case .damaged(let path, let fault) = error else { throw error }
      throw .contextDamaged(app: app.id, path: path, fault)
    }
  }

  /// Replaces the context, wholly or not at all, and gives the bytes that it takes.
  @discardableResult
  package func set(_ context: JSONValue) throws(StoreError) -> Int {
    let bytes = try text(context)
    try app.prepare()
    let lock = try lockDirectory(app.contextDirectory)
    try write(bytes)
    _ = lock
    return bytes.count
  }

  /// Removes the context; also one that is damaged.
  package func clear() throws(StoreError) {
    do throws(StoreError) {
      // Otherwise it could fall between another's look and their writing, and be undone by it.
      let lock = try lockDirectory(app.contextDirectory)
      try remove()
      _ = lock
    } catch .system(let error) where error.errno == .noSuchFile {
      return
    }
  }

  /// What has become of a change that was to be made only to a certain context.
  package enum Change: Equatable, Sendable {
    /// It was made, and the context takes so many bytes now; 0 if there is none.
    case stored(bytes: Int)
    /// It was not, because this is stored; null for none.
    case differs(JSONValue)
  }

  /// Replaces the context, or with null removes it, if it is the `expected` one, null being none; nil: whatever it is.
  ///
  /// Contexts are told apart by their compact texts, as apps do it, which see the file.
  package func replace(_ context: JSONValue, ifStored expected: JSONValue?) throws(StoreError) -> Change {
    guard let expected else {
      if !context.isNull { return .stored(bytes: try set(context)) }
      try clear()
      return .stored(bytes: 0)
    }
    let bytes = context.isNull ? [] : try text(context)
    try app.prepare()
    let lock = try lockDirectory(app.contextDirectory)
    let present = try get() ?? .null
    guard present.bytes(.compact) == expected.bytes(.compact) else { return .differs(present) }
    if context.isNull { try remove() } else { try write(bytes) }
    _ = lock
    return .stored(bytes: bytes.count)
  }

  /// The text of a context that is not too large.
  private func text(_ context: JSONValue) throws(StoreError) -> [UInt8] {
    let bytes = context.bytes(.compact)
    guard bytes.count <= Self.limit else { throw .contextTooLarge(bytes: bytes.count, limit: Self.limit) }
    return bytes
  }

  /// Writes the file; the caller holds the lock.
  private func write(_ bytes: [UInt8]) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(app.contextFile, with: bytes)
    }
  }

  /// Removes the file, durably; the caller holds the lock.
  private func remove() throws(StoreError) {
    let isThere = try system { () throws(SystemCallError) in try FileSystem.status(app.contextFile) != nil }
    try system { () throws(SystemCallError) in
      if isThere { try FileSystem.unlink(app.contextFile) }
      // Also if it is gone already: whoever has removed it may have died before that was durable.
      try FileSystem.synchronizeDirectory(app.contextDirectory)
    }
  }
}
