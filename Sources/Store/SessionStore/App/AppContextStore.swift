// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// Storage of the app context: at most 4096 bytes of JSON that an app and its extensions share.
package struct AppContextStore: Sendable {
  /// The size limit of a context: the bytes of its compact JSON text.
  package static let limit = 4096

  private let app: AppStore

  /// Creates the context store of an app.
  package init(_ app: AppStore) { self.app = app }

  /// The directory that changes whenever the context changes.
  package var directory: String { app.contextDirectory }

  /// Returns the context, or `nil` if none is stored.
  package func get() throws(StoreError) -> JSONValue? {
    do { return try Document.read(app.contextFile, limit: JSONLimits(bytes: Self.limit, depth: 32)) } catch {
      guard case .damaged(let path, let fault) = error else { throw error }
      throw .contextDamaged(app: app.id, path: path, fault)
    }
  }

  /// Replaces the context atomically.
  ///
  /// - Returns: The size of the stored context in bytes.
  @discardableResult
  package func set(_ context: JSONValue) throws(StoreError) -> Int {
    let bytes = try text(context)
    try app.prepare()
    let lock = try lockDirectory(app.contextDirectory)
    try write(bytes)
    _ = lock
    return bytes.count
  }

  /// Removes the context, even if its file is damaged.
  package func clear() throws(StoreError) {
    do throws(StoreError) {
      // Without the lock, the removal could fall between another process's read and write, and that write
      // would undo it.
      let lock = try lockDirectory(app.contextDirectory)
      try remove()
      _ = lock
    } catch .system(let error) where error.errno == .noSuchFile {
      return
    }
  }

  /// The result of a conditional change of the context.
  package enum Change: Equatable, Sendable {
    /// The change was made. The stored context has this size in bytes, or 0 if none is stored.
    case stored(bytes: Int)
    /// The change was not made, because this context is stored (`null` if none is).
    case differs(JSONValue)
  }

  /// Replaces the context, or removes it if `context` is `null`, provided that `expected` is stored.
  ///
  /// For `expected`, `null` means that no context is stored, and `nil` makes the change unconditional.
  /// Contexts are compared by their compact texts, because apps that read the file compare in the same way.
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

  /// Returns the compact text of a context, which must not exceed ``limit``.
  private func text(_ context: JSONValue) throws(StoreError) -> [UInt8] {
    let bytes = context.bytes(.compact)
    guard bytes.count <= Self.limit else { throw .contextTooLarge(bytes: bytes.count, limit: Self.limit) }
    return bytes
  }

  /// Writes the context file. The caller must hold the lock.
  private func write(_ bytes: [UInt8]) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(app.contextFile, with: bytes)
    }
  }

  /// Removes the context file durably. The caller must hold the lock.
  private func remove() throws(StoreError) {
    let exists = try system { () throws(SystemCallError) in try FileSystem.status(app.contextFile) != nil }
    try system { () throws(SystemCallError) in
      if exists { try FileSystem.unlink(app.contextFile) }
      // Synchronizes even if the file is missing: the process that removed it may have died before the
      // removal was durable.
      try FileSystem.synchronizeDirectory(app.contextDirectory)
    }
  }
}
