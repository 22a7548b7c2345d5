// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives

/// A record of the sessions that an app has imported, so that each is imported exactly once.
///
/// The ledger is stored in a directory of the app, by session UUID, and survives a crash of the process:
///
/// ```swift
/// let ledger = try ImportLedger(directory: library)
/// for await update in LockedCameraCaptureManager.shared.sessionContentUpdates {
///   guard case .initial(let urls) = update else { continue }
///   for url in urls {
///     guard let id = LockedCameraCaptureManager.sessionID(of: url) else { continue }
///     try await ledger.importSession(id) { target in try copy(url, into: target) }
///     try await LockedCameraCaptureManager.shared.invalidateSessionContent(at: url)
///   }
/// }
/// ```
///
/// Several tasks and processes may import at the same time. If several import the same session, one of them does
/// it and the others wait. All members may be used on any thread. They throw ``LockedCameraCaptureError`` if a
/// system call fails, and the errors of the caller's closure.
public final class ImportLedger: Sendable {
  private let paths: ImportPaths

  /// Opens the ledger of a library; creates the directory if it does not exist.
  ///
  /// - Parameter directory: The directory of the library.
  /// - Throws: ``LockedCameraCaptureError`` if the directory cannot be created.
  public init(directory: URL) throws {
    paths = ImportPaths(library: directory.path(percentEncoded: false))
    do throws(SystemCallError) { try paths.prepare() } catch {
      throw LockedCameraCaptureError(.notWritten, "\(error)")
    }
  }

  /// Returns whether a session was imported, even if its files were removed since.
  ///
  /// - Throws: ``LockedCameraCaptureError`` if the ledger cannot be read.
  public func contains(_ id: UUID) throws -> Bool {
    do throws(SystemCallError) { return try paths.isImported(SessionName.text(id)) } catch {
      throw LockedCameraCaptureError(.notWritten, "\(error)")
    }
  }

  /// Returns the directory into which ``importSession(_:isolation:_:)`` imports a session: a subdirectory of
  /// the library, named by the UUID.
  public func location(of id: UUID) -> URL {
    URL(filePath: paths.target(SessionName.text(id)), directoryHint: .isDirectory)
  }

  /// Imports the files of a session atomically.
  ///
  /// If the process is killed or `body` throws, the next call starts again with an empty directory, or finds
  /// that the import is complete. The library never contains a partial or a second copy.
  ///
  /// - Parameters:
  ///   - id: The identifier of the session.
  ///   - isolation: The actor on which `body` runs.
  ///   - body: Copies the files into the empty directory that it receives. The directory then appears in the
  ///     library at once.
  /// - Returns: Whether the session was imported by this call, and not before.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails, or the error of `body`.
  @discardableResult
  public func importSession(
    _ id: UUID,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (URL) async throws -> Void
  ) async throws -> Bool {
    let (paths, name) = (paths, SessionName.text(id))
    guard let run = try await onPlainThread({ try ImportRun(paths, name) }) else { return false }
    if try await onPlainThread({ try run.stage() }) {
      try await body(URL(filePath: paths.incoming(name), directoryHint: .isDirectory))
      try await onPlainThread { try run.publish() }
    }
    try await onPlainThread { try run.finish() }
    return true
  }

  /// Runs an operation once for a session, for data that is not kept in files: a database or another program.
  ///
  /// - Parameters:
  ///   - id: The identifier of the session.
  ///   - isolation: The actor on which `body` runs.
  ///   - body: The operation. It receives the number of earlier attempts, which is 0 except after a crash or
  ///     an error, when a part may be done. Use the session's UUID as a key to skip that part.
  /// - Returns: Whether the operation was run by this call, and not before.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails, or the error of `body`.
  @discardableResult
  public func performOnce(
    _ id: UUID,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (_ attemptsBefore: Int) async throws -> Void
  ) async throws -> Bool {
    let (paths, name) = (paths, SessionName.text(id))
    guard let run = try await onPlainThread({ try ImportRun(paths, name) }) else { return false }
    try await body(try await onPlainThread { try run.countAttempt() })
    try await onPlainThread { try run.finish() }
    return true
  }
}
