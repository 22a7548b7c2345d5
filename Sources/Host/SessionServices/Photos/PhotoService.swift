// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import PhotoLibrary
package import SessionStore

/// The photo library as one session may use it.
///
/// Every call decides anew what may be done, by the lock and the permissions of that moment; the decision is
/// ``PhotoAccess``, and what may be read is a filter of the library's own queries. Nothing is opened or made before the
/// first call that may do something. It belongs to the thread that drives the session, and never keeps it waiting for
/// bytes that are copied: a thread of its own does what is asked, in order.
package final class PhotoService: PhotoServing {
  private let place: LibraryPlace
  private let pause: @Sendable () -> Void
  private var session: PhotoSession?
  /// For looking: the thread that does what is asked has a library of its own.
  private var library: PhotoLibrary?
  private var watch: DirectoryWatch?
  private var exchange: PhotoExchange?
  private var thread: PlainThread?
  /// What the library looked like when it was last seen that everything shown may be shown.
  private var seen: (reader: PhotoReader, version: Int64)?
  /// What could be seen when the session was last told, by what may be read. Each has its own, so that nothing is missed
  /// that changes while the machine is locked and unlocked again.
  private var told: [PhotoAccess.Reading: VisibleAssets] = [:]

  /// A service of the library at a place; nothing is done before ``begin(_:)``.
  ///
  /// `pause` is called, on the thread that does what is asked, when the bytes of an asset have been copied and nothing
  /// depends on them yet. For tests.
  package init(_ place: LibraryPlace, pause: @escaping @Sendable () -> Void = {}) {
    self.place = place
    self.pause = pause
  }

  deinit { stop() }

  package func begin(_ session: PhotoSession) {
    stop()
    (exchange, seen, told) = (nil, nil, [:])
    self.session = session
  }

  package func finish() -> [SessionRecord.Ingested] {
    stop()
    let ingested = exchange?.finish() ?? []
    exchange = nil
    return ingested
  }

  /// Waits for what is being done, and has nothing more done.
  private func stop() {
    exchange?.stop()
    thread.take()?.join()
  }

  package var descriptor: Int32? {
    switch watch {
    case .some(let watch): watch.descriptor.rawValue
    case .none: nil
    }
  }

  package var answers: Int32? { exchange?.answers.rawValue }

  package func takeAnswers() -> [Reply] { exchange?.takeAnswers() ?? [] }

  // MARK: - What changes

  package func circumstancesChanged(lock: LockState, permissions: Permissions) {
    guard let session else { return }
    change(session, PhotoAccess(lock: lock, permissions: permissions))
  }

  package func libraryChanged(lock: LockState, permissions: Permissions) -> Bool {
    guard let session, let library else { return false }
    let access = PhotoAccess(lock: lock, permissions: permissions)
    change(session, access)
    // What cannot be found out is not told.
    guard access.reading != .nothing, let now = try? library.visible(to: session.reader(access)) else {
      return false
    }
    return told.updateValue(now, forKey: access.reading) != now
  }

  /// Goes by other circumstances from now on: takes back what was shown and may not be seen any more, and notes what can
  /// be seen, if nothing is known that it could be compared with.
  private func change(_ session: PhotoSession, _ access: PhotoAccess) {
    guard let library, let exchange else { return }
    let reader = session.reader(access)
    // Read before the assets are looked at: what changes meanwhile is seen with the next call.
    let version = try? library.version()
    exchange.change(to: access) { (shown) in
      if let seen, let version, seen.reader == reader, seen.version == version { return }
      // What cannot be decided is taken back, too.
      for asset in shown.assets where (try? library.asset(asset, for: reader)) == nil {
        shown.withdraw(asset)
      }
    }
    seen = version.map { (reader, $0) }
    guard access.reading != .nothing, told[access.reading] == nil else { return }
    told[access.reading] = try? library.visible(to: reader)
  }

  // MARK: - What is asked

  package func answer(
    _ request: PhotoRequest,
    _ id: RequestID,
    lock: LockState,
    permissions: Permissions
  ) -> PhotoAnswer {
    guard let session else {
      return .now(PhotoRefusal.notInSession.outcome)
    }
    if case .authorization(let level) = request {
      let status = PhotoAccess.status(of: level, permissions)
      return .now(.success(PhotoAuthorizationResult(status: status).json))
    }
    let access = PhotoAccess(lock: lock, permissions: permissions)
    change(session, access)
    do throws(PhotoRefusal) {
      try access.check(request)
      try open(session, access)
      guard exchange?.take(request, id) == true else { throw .busy }
      return .later
    } catch { return .now(error.outcome) }
  }

  /// Opens the library and starts the thread, for the first who needs them.
  private func open(_ session: PhotoSession, _ access: PhotoAccess) throws(PhotoRefusal) {
    guard library == nil || exchange == nil else { return }
    do throws(PhotoLibraryError) {
      if library == nil {
        let made = try PhotoLibrary(place)
        watch = try made.watch()
        library = made
      }
    } catch { throw PhotoRefusal(error) }
    do throws(SystemCallError) {
      let exchange = try PhotoExchange(session, access)
      let (place, pause) = (place, pause)
      thread = try PlainThread.start(name: "photos") {
        PhotoDesk(session, place, exchange, pause).run()
      }
      self.exchange = exchange
    } catch { throw PhotoRefusal(.system(error)) }
    // What is done from now on is compared with what is there now.
    change(session, access)
  }
}
