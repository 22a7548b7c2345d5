// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import PhotoLibrary
package import SessionStore

/// The photo library for one session.
///
/// Every call evaluates the access again by the current lock state and permissions (``PhotoAccess``). The
/// library's queries filter the assets that may be read. Nothing is opened or created before the first
/// permitted call.
///
/// The object belongs to the thread that drives the session, and does not block it while data is copied. A
/// separate thread executes the requests in order.
package final class PhotoService: PhotoServing {
  private let place: LibraryLocation
  private let pause: @Sendable () -> Void
  private var session: PhotoSession?
  /// The library for queries of this thread. The worker thread has its own.
  private var library: PhotoLibrary?
  private var watch: DirectoryWatch?
  private var exchange: PhotoExchange?
  private var thread: PlainThread?
  /// The reader and the library version of the last review that found all shown assets visible.
  private var lastReviewed: (reader: PhotoReader, version: Int64)?
  /// The visible assets that were last reported to the session, for each kind of access. They are kept
  /// separately, so that a change during a lock and an unlock is not missed.
  private var reportedAssets: [PhotoAccess.Reading: AssetSetFingerprint] = [:]

  /// Creates a service for the library at a place. Nothing is done before ``begin(_:)``.
  ///
  /// `pause` is for tests. It is called on the worker thread when an asset has been copied and before the
  /// copy is used.
  package init(_ place: LibraryLocation, pause: @escaping @Sendable () -> Void = {}) {
    self.place = place
    self.pause = pause
  }

  deinit { stop() }

  package func begin(_ session: PhotoSession) {
    stop()
    (exchange, lastReviewed, reportedAssets) = (nil, nil, [:])
    self.session = session
  }

  package func finish() -> [SessionRecord.Ingested] {
    stop()
    let ingested = exchange?.finish() ?? []
    exchange = nil
    return ingested
  }

  /// Waits for the current request, and discards the others.
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

  package func accessChanged(lock: LockState, permissions: Permissions) {
    guard let session else { return }
    change(session, PhotoAccess(lock: lock, permissions: permissions))
  }

  package func libraryChanged(lock: LockState, permissions: Permissions) -> Bool {
    guard let session, let library else { return false }
    let access = PhotoAccess(lock: lock, permissions: permissions)
    change(session, access)
    // A change that cannot be determined is not reported.
    guard access.reading != .nothing, let now = try? library.visible(to: session.reader(access)) else {
      return false
    }
    return reportedAssets.updateValue(now, forKey: access.reading) != now
  }

  /// Applies an access: withdraws the assets that may not be read any longer. Records the visible assets if
  /// none are recorded for this access.
  private func change(_ session: PhotoSession, _ access: PhotoAccess) {
    guard let library, let exchange else { return }
    let reader = session.reader(access)
    // Read before the assets: a change meanwhile is found by the next call.
    let version = try? library.version()
    exchange.change(to: access) { (shown) in
      if let lastReviewed, let version, lastReviewed.reader == reader, lastReviewed.version == version {
        return
      }
      // An asset of unknown visibility is withdrawn.
      for asset in shown.assets where (try? library.asset(asset, for: reader)) == nil {
        shown.withdraw(asset)
      }
    }
    lastReviewed = version.map { (reader, $0) }
    guard access.reading != .nothing, reportedAssets[access.reading] == nil else { return }
    reportedAssets[access.reading] = try? library.visible(to: reader)
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
      guard exchange?.enqueue(request, id) == true else { throw .busy }
      return .later
    } catch { return .now(error.outcome) }
  }

  /// Opens the library and starts the worker thread, on first use.
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
        PhotoWorker(session, place, exchange, pause).run()
      }
      self.exchange = exchange
    } catch { throw PhotoRefusal(.system(error)) }
    // Later changes are compared with the current state.
    change(session, access)
  }
}
