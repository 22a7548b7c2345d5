// SPDX-License-Identifier: Apache-2.0

internal import SessionStore

/// The content that sessions have delivered to an app, and the entries in its quarantine.
public struct AppContent: Sendable {
  private let app: AppStore

  /// Creates the content of an app.
  init(_ app: AppStore) { self.app = app }

  /// The content of one session. It is complete as soon as it exists.
  public struct Delivery: Sendable, Hashable {
    /// The ID of the session.
    public let session: String
    /// The ID of the extension, or `nil` if the app has removed the session record.
    public let extensionID: String?
    /// The content directory.
    public let path: String
    /// The number of files.
    public let files: Int64
    /// The sum of the file sizes in bytes.
    public let bytes: Int64

    /// Creates a description of delivered content.
    init(_ session: DeliveredSession) {
      self.session = session.id.description
      extensionID = session.summary?.extensionID
      (path, files, bytes) = (session.path, session.files, session.bytes)
    }
  }

  /// The quarantined entries of one session.
  public struct QuarantinedContent: Sendable, Hashable {
    /// The ID of the session.
    public let session: String
    /// The path of the quarantine directory.
    public let path: String
    /// The entries.
    public let entries: [QuarantinedEntry]
  }

  /// Returns the content of all sessions, ordered by their start.
  public func list() async throws(HostError) -> [Delivery] {
    let app = app
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return try DeliveredContent(app).list().map(Delivery.init) } catch {
        throw HostError(error)
      }
    }
  }

  /// Copies the content of a session to `directory/<session>`, and returns the path of the copy. An existing
  /// target is never replaced.
  public func export(_ session: String, to directory: String) async throws(HostError) -> String {
    let (app, id) = (app, try Self.id(session))
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return try DeliveredContent(app).export(id, to: directory) } catch {
        throw HostError(error)
      }
    }
  }

  /// Removes the content of a session atomically, and deletes it. Of several concurrent calls, one succeeds.
  public func invalidate(_ session: String) async throws(HostError) {
    let (app, id) = (app, try Self.id(session))
    try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { try DeliveredContent(app).invalidate(id) } catch { throw HostError(error) }
    }
  }

  /// Returns the quarantined entries of all sessions.
  public func quarantine() async throws(HostError) -> [QuarantinedContent] {
    let app = app
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) {
        return try Quarantine(app).list().map {
          QuarantinedContent(
            session: $0.id.description,
            path: $0.path,
            entries: $0.items.map(QuarantinedEntry.init)
          )
        }
      } catch { throw HostError(error) }
    }
  }

  /// Deletes the quarantined entries of a session. The session record is kept, and contains what was deleted and
  /// when.
  ///
  /// - Parameters:
  ///   - session: The ID of the session.
  ///   - overwriting: Whether regular files without another name are first overwritten with random bytes. This has
  ///     no effect on file systems and disks that write elsewhere, such as btrfs and SSDs.
  ///
  /// - Returns: What was deleted.
  ///
  /// - Throws: ``HostError/store(_:)`` if no entry of the session is quarantined.
  @discardableResult
  public func removeQuarantined(
    _ session: String,
    overwriting: Bool = false
  ) async throws(HostError) -> QuarantineRemoval {
    let (app, id) = (app, try Self.id(session))
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) {
        return QuarantineRemoval(try Quarantine(app).remove(id, overwriting ? .shredded : .plain))
      } catch { throw HostError(error) }
    }
  }

  /// Returns the changes that migration made to the content of a session, such as changed file names. They are
  /// in the session record.
  ///
  /// - Parameter session: The ID of the session.
  ///
  /// - Returns: The changes, or `nil` if the app has removed the session record.
  ///
  /// - Throws: ``HostError/store(_:)`` if the app has no content of the session.
  public func migrationChanges(of session: String) async throws(HostError) -> [MigrationChange]? {
    let (app, id) = (app, try Self.id(session))
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) {
        guard let delivered = try DeliveredContent(app).list().first(where: { $0.id == id }) else {
          throw .noSuchContent(app: app.id, session: id)
        }
        return delivered.record?.sanitized.map(MigrationChange.init)
      } catch { throw HostError(error) }
    }
  }

  /// The changes of the content.
  ///
  /// - Parameter consumer: The name of a consumer that resumes where it stopped, or `nil`. A named consumer
  ///   receives each change once, also across restarts of the process; only one process can use a name at a
  ///   time.
  ///
  /// - Returns: A sequence that starts to watch when it is iterated.
  public func changes(consumer: String? = nil) -> ContentChanges { ContentChanges(app, consumer) }

  /// Returns the ID of a session.
  private static func id(_ text: String) throws(HostError) -> SessionID {
    guard let id = SessionID(text) else {
      throw .argument(.init("'\(text)' is not the ID of a session; AppContent.list() returns the IDs"))
    }
    return id
  }
}

/// The result of a deletion of quarantined entries.
public struct QuarantineRemoval: Sendable, Hashable {
  /// The number of deleted files.
  public let files: Int64
  /// The sum of their sizes in bytes.
  public let bytes: Int64
  /// The number of bytes that were overwritten first.
  public let overwrittenBytes: Int64
  /// The number of files that could not be overwritten, such as those with another name.
  public let filesNotOverwritten: Int64

  /// Creates the result of a removal.
  fileprivate init(_ receipt: Quarantine.Receipt) {
    (files, bytes) = (receipt.session.files, receipt.session.bytes)
    (overwrittenBytes, filesNotOverwritten) = (receipt.overwritten, receipt.notOverwritten)
  }
}

/// A change that migration made to an entry of a session's content.
public struct MigrationChange: Sendable, Hashable {
  /// The path of the entry relative to the content directory; empty for that directory itself.
  public let path: String
  /// The identifier of the change, such as `renamed`.
  public let change: String
  /// The former name of a renamed entry, or `nil`. Bytes that cannot be displayed are written as `\xNN`.
  public let formerName: String?
  /// The change as a part of a sentence.
  public let explanation: String

  /// Creates a change from the entry of a session record.
  fileprivate init(_ entry: SessionRecord.Sanitized) {
    (path, change, formerName) = (entry.path, entry.change.rawValue, entry.from)
    explanation = entry.change.explanation
  }
}
