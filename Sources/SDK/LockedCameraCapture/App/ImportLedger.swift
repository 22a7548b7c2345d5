// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives

/// Remembers which sessions an app has imported, so that each is imported exactly once.
///
/// Everything is kept by the session's UUID, in a directory of the app's own, and survives whatever ends the process:
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
/// Several tasks, and several processes, may import at once: of those that want the same session one does it, and the
/// others wait for it. All members may be used in any thread; errors are those of the kernel, as
/// ``LockedCameraCaptureError``, and whatever the caller's own closure throws.
public final class ImportLedger: Sendable {
  private let places: ImportPlaces

  /// Opens the ledger of a library, which is made if it is not there.
  public init(directory: URL) throws {
    places = ImportPlaces(library: directory.path(percentEncoded: false))
    do throws(SystemCallError) { try places.prepare() } catch {
      throw LockedCameraCaptureError(.notWritten, "\(error)")
    }
  }

  /// Whether a session was imported, whatever has become of its files since.
  public func contains(_ id: UUID) throws -> Bool {
    do throws(SystemCallError) { return try places.isDone(SessionName.text(id)) } catch {
      throw LockedCameraCaptureError(.notWritten, "\(error)")
    }
  }

  /// Where ``importSession(_:isolation:_:)`` puts the files of a session: a directory named by its UUID in the library.
  public func location(of id: UUID) -> URL {
    URL(filePath: places.target(SessionName.text(id)), directoryHint: .isDirectory)
  }

  /// Imports the files of a session: `body` fills an empty directory, which then appears in the library whole.
  ///
  /// Gives whether it was new. If the process is killed at any moment, or `body` throws, the next call begins anew with
  /// an empty directory, or finds that all is done; the library never shows a part, and never two.
  @discardableResult
  public func importSession(
    _ id: UUID,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (URL) async throws -> Void
  ) async throws -> Bool {
    let (places, name) = (places, SessionName.text(id))
    guard let run = try await onPlainThread({ try ImportRun(places, name) }) else { return false }
    if try await onPlainThread({ try run.stage() }) {
      try await body(URL(filePath: places.incoming(name), directoryHint: .isDirectory))
      try await onPlainThread { try run.publish() }
    }
    try await onPlainThread { try run.finish() }
    return true
  }

  /// Does something once for a session, for what is not kept in files: a database, another program.
  ///
  /// Gives whether it was new. `body` is told how often it was begun before; that is 0 but after a crash or an error in
  /// it, when part of it may be done. Use the session's UUID as a key there to leave that out.
  @discardableResult
  public func performOnce(
    _ id: UUID,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (_ attemptsBefore: Int) async throws -> Void
  ) async throws -> Bool {
    let (places, name) = (places, SessionName.text(id))
    guard let run = try await onPlainThread({ try ImportRun(places, name) }) else { return false }
    try await body(try await onPlainThread { try run.countAttempt() })
    try await onPlainThread { try run.finish() }
    return true
  }
}
