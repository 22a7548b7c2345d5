// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import PhotoLibrary
package import SessionStore

/// The photo library as one session may use it.
///
/// Every call decides anew what may be done, by the lock and the permissions of that moment; the decision is
/// ``PhotoAccess``, and what may be read is a filter of the library's own queries. Nothing is opened or made before the
/// first call that may do something. It belongs to the thread that drives the session.
package final class PhotoService: PhotoServing {
  private let place: LibraryPlace
  private var session: PhotoSession?
  private var library: PhotoLibrary?
  private var watch: DirectoryWatch?
  private var shown = ShownAssets(directory: "", mostBytes: 0)
  private var ingested: [SessionRecord.Ingested] = []
  private var ingestedBytes: Int64 = 0
  /// What the library looked like when it was last seen that everything shown may be shown.
  private var seen: (reader: PhotoReader, version: Int64)?
  /// What may be done, as of the last call.
  private var access: PhotoAccess?
  /// What could be seen when the session was last told, by what may be read. Each has its own, so that nothing is missed
  /// that changes while the machine is locked and unlocked again.
  private var told: [PhotoAccess.Reading: VisibleAssets] = [:]

  /// A service of the library at a place; nothing is done before ``begin(_:)``.
  package init(_ place: LibraryPlace) { self.place = place }

  package func begin(_ session: PhotoSession) {
    self.session = session
    shown = ShownAssets(directory: session.library, mostBytes: session.mostBytes)
  }

  package func finish() -> [SessionRecord.Ingested] {
    for asset in shown.assets { shown.withdraw(asset) }
    return ingested
  }

  package var descriptor: Int32? {
    switch watch {
    case .some(let watch): watch.descriptor.rawValue
    case .none: nil
    }
  }

  package func circumstancesChanged(lock: LockState, permissions: Permissions) {
    guard let session else { return }
    seen = nil
    let access = PhotoAccess(lock: lock, permissions: permissions)
    review(session, access)
    remember(session, access)
  }

  package func libraryChanged(lock: LockState, permissions: Permissions) -> Bool {
    guard let session, let library else { return false }
    let access = PhotoAccess(lock: lock, permissions: permissions)
    review(session, access)
    // What cannot be found out is not told.
    guard access.reading != .nothing, let now = try? library.visible(to: Self.reader(session, access)) else {
      return false
    }
    return told.updateValue(now, forKey: access.reading) != now
  }

  /// Notes what can be seen now, if nothing is known that it could be compared with.
  private func remember(_ session: PhotoSession, _ access: PhotoAccess) {
    guard let library, access.reading != .nothing, told[access.reading] == nil else { return }
    told[access.reading] = try? library.visible(to: Self.reader(session, access))
  }

  package func answer(
    _ request: PhotoRequest,
    lock: LockState,
    permissions: Permissions
  ) -> Reply.Outcome {
    guard let session else {
      return Self.failure(.notInSession, "the session has not begun; ask for photos when it has")
    }
    let access = PhotoAccess(lock: lock, permissions: permissions)
    review(session, access)
    remember(session, access)
    self.access = access
    do throws(PhotoRefusal) {
      switch request {
      case .authorization(let level):
        let status = PhotoAccess.status(of: level, permissions)
        return .success(PhotoAuthorizationResult(status: status).json)
      case .add(let addition): return try add(addition, session, access)
      case .list(let after, let limit): return try list(after, limit, session, access)
      case .open(let asset): return try open(asset, session, access)
      case .delete(let asset): return try delete(asset, session, access)
      }
    } catch { return Self.failure(error.code, error.sentence) }
  }

  private static func failure(_ code: ProtocolErrorCode, _ sentence: String) -> Reply.Outcome {
    .failure(ErrorObject(code: code.rawValue, message: sentence, data: nil))
  }

  /// The library, opened by the first who needs it.
  private func opened() throws(PhotoLibraryError) -> PhotoLibrary {
    if let library { return library }
    let made = try PhotoLibrary(place)
    watch = try made.watch()
    library = made
    // What is done from now on is compared with this.
    if let session, let access { remember(session, access) }
    return made
  }

  private static func reader(_ session: PhotoSession, _ access: PhotoAccess) -> PhotoReader {
    PhotoReader(app: session.app, session: session.id.description, reading: access.reading)
  }

  /// Takes back what was shown and may not be seen any more. What cannot be decided is taken back, too.
  private func review(_ session: PhotoSession, _ access: PhotoAccess) {
    guard !shown.assets.isEmpty, let library else { return }
    let reader = Self.reader(session, access)
    // Read before the assets are looked at: what changes meanwhile is seen with the next call.
    let version = try? library.version()
    if let seen, let version, seen.reader == reader, seen.version == version { return }
    for asset in shown.assets where (try? library.asset(asset, for: reader)) == nil { shown.withdraw(asset) }
    seen = version.map { (reader, $0) }
  }

  // MARK: - What may be asked

  private func add(
    _ addition: PhotoAddition,
    _ session: PhotoSession,
    _ access: PhotoAccess
  ) throws(PhotoRefusal) -> Reply.Outcome {
    guard access.mayAdd else { throw .notAllowed("add to the photo library") }
    guard ingested.count < session.mostAssets, ingestedBytes < session.mostBytes else {
      throw .limitReached(assets: session.mostAssets, bytes: session.mostBytes)
    }
    let asset = try library { (library) throws(PhotoLibraryError) in
      let directory: Descriptor
      do throws(SystemCallError) {
        directory = try FileSystem.open(session.content, [.directory, .noFollow])
      } catch { throw .system(error) }
      let ingest = Ingest(
        directory: session.content,
        path: addition.path,
        title: addition.title,
        mediaType: addition.mediaType,
        app: session.app,
        session: session.id.description,
        source: addition.move ? .isRemoved : .stays,
        limit: min(session.mostBytesOfOne, session.mostBytes - self.ingestedBytes)
      )
      return try library.add(ingest, in: directory)
    }
    ingested.append(SessionRecord.Ingested(asset: asset.id, path: addition.path))
    ingestedBytes += asset.bytes
    return .success(PhotoAddResult(asset: Self.photo(asset, session)).json)
  }

  private func list(
    _ after: String?,
    _ limit: Int,
    _ session: PhotoSession,
    _ access: PhotoAccess
  ) throws(PhotoRefusal) -> Reply.Outcome {
    guard access.reading != .nothing else { throw .notAllowed("read the photo library") }
    let page = try library { (library) throws(PhotoLibraryError) in
      try library.list(for: Self.reader(session, access), after: after, atMost: limit)
    }
    let assets = page.assets.map { Self.photo($0, session) }
    return .success(PhotoListResult(assets: assets, next: page.next).json)
  }

  private func open(
    _ id: String,
    _ session: PhotoSession,
    _ access: PhotoAccess
  ) throws(PhotoRefusal) -> Reply.Outcome {
    guard access.reading != .nothing else { throw .notAllowed("read the photo library") }
    let name = try library { (library) throws(PhotoLibraryError) in
      let asset = try library.asset(id, for: Self.reader(session, access))
      let file = try library.open(asset)
      do throws(SystemCallError) { return try self.shown.show(asset, file) } catch {
        throw error.errno == .noSpace ? .noSpace(path: session.library) : .system(error)
      }
    }
    return .success(PhotoOpenResult(path: "\(session.insideLibrary)/\(name)").json)
  }

  private func delete(
    _ id: String,
    _ session: PhotoSession,
    _ access: PhotoAccess
  ) throws(PhotoRefusal) -> Reply.Outcome {
    guard access.deleting != .nothing else { throw .notAllowed("delete from the photo library") }
    try library { (library) throws(PhotoLibraryError) in
      let asset = try library.asset(id, for: Self.reader(session, access))
      let isOwn = asset.session == session.id.description || asset.app == session.app
      // What another app or the person has added can be seen, but nobody can ask the person about it here.
      guard isOwn else { throw .notOwn(id) }
      try library.delete(asset)
    }
    shown.withdraw(id)
    return .success(Nothing().json)
  }

  /// Does something with the library, and says of a failure what an extension may know.
  private func library<Result>(
    _ body: (PhotoLibrary) throws(PhotoLibraryError) -> Result
  ) throws(PhotoRefusal) -> Result {
    do { return try body(opened()) } catch { throw PhotoRefusal(error) }
  }

  /// An asset as the protocol has it.
  private static func photo(_ asset: Asset, _ session: PhotoSession) -> PhotoAsset {
    PhotoAsset(
      id: asset.id,
      title: asset.title,
      mediaType: asset.mediaType,
      bytes: asset.bytes,
      createdAt: asset.createdAt,
      session: asset.session,
      ownSession: asset.session == session.id.description
    )
  }
}
