// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// Executes the photo library requests of a session in order, on a separate thread.
///
/// The access is checked when a request starts, and again when a copy is shown.
final class PhotoWorker {
  private let session: PhotoSession
  private let place: LibraryLocation
  private let exchange: PhotoExchange
  private let pause: @Sendable () -> Void
  private var opened: PhotoLibrary?
  private var added = 0
  private var addedBytes: Int64 = 0

  /// Creates a worker that has executed no request.
  init(
    _ session: PhotoSession,
    _ place: LibraryLocation,
    _ exchange: PhotoExchange,
    _ pause: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.place = place
    self.exchange = exchange
    self.pause = pause
  }

  /// Executes requests until the exchange is stopped.
  func run() {
    while let job = exchange.next() { exchange.answer(Reply(id: job.id, outcome(of: job.request, job.id))) }
  }

  private func outcome(of request: PhotoRequest, _ id: RequestID) -> Reply.Outcome {
    let access = exchange.access
    do throws(PhotoRefusal) {
      try access.check(request)
      switch request {
      case .authorization: throw .notInSession
      case .add(let addition): return try add(addition)
      case .list(let after, let limit): return try list(after, limit, access, id)
      case .open(let asset): return try open(asset, access)
      case .delete(let asset): return try delete(asset, access)
      }
    } catch { return error.outcome }
  }

  private func add(_ addition: PhotoAddition) throws(PhotoRefusal) -> Reply.Outcome {
    guard added < session.maximumAssets, addedBytes < session.maximumBytes else {
      throw .limitReached(assets: session.maximumAssets, bytes: session.maximumBytes)
    }
    let asset = try library { (library) throws(PhotoLibraryError) in
      let directory: Descriptor
      do throws(SystemCallError) {
        directory = try FileSystem.open(self.session.content, [.directory, .noFollow])
      } catch { throw .system(error) }
      let ingest = Ingest(
        directory: self.session.content,
        path: addition.path,
        title: addition.title,
        mediaType: addition.mediaType,
        app: self.session.app,
        session: self.session.id.description,
        source: addition.move ? .remove : .keep,
        limit: min(self.session.maximumAssetBytes, self.session.maximumBytes - self.addedBytes),
        createdAt: addition.createdAt
      )
      return try library.add(ingest, in: directory)
    }
    exchange.note(SessionRecord.Ingested(asset: asset.id, path: addition.path))
    added += 1
    addedBytes += asset.bytes
    return .success(PhotoAddResult(asset: photo(asset)).json)
  }

  private func list(
    _ after: String?,
    _ limit: Int,
    _ access: PhotoAccess,
    _ id: RequestID
  ) throws(PhotoRefusal) -> Reply.Outcome {
    let page = try library { (library) throws(PhotoLibraryError) in
      try library.list(for: self.session.reader(access), after: after, atMost: limit)
    }
    let result = PhotoListResult(fitting: page.assets.map(photo), next: page.next, replyingTo: id)
    return .success(result.json)
  }

  private func open(_ id: String, _ access: PhotoAccess) throws(PhotoRefusal) -> Reply.Outcome {
    let name = try library { (library) throws(PhotoLibraryError) -> String in
      let asset = try library.asset(id, for: self.session.reader(access))
      if let name = self.exchange.name(of: id) { return name }
      guard let name = try self.show(asset, library) else { throw .noSuchAsset(id) }
      return name
    }
    return .success(PhotoOpenResult(path: "\(session.insideLibrary)/\(name)").json)
  }

  /// Shows a copy of an asset and returns its name, or `nil` if the asset is no longer visible to the
  /// session.
  private func show(_ asset: Asset, _ library: PhotoLibrary) throws(PhotoLibraryError) -> String? {
    let file = try library.open(asset)
    do throws(SystemCallError) {
      let size = try file.status().size
      try exchange.makeRoom(for: size)
      let copy = try AssetCopy.make(of: file, bytes: size, at: session.temporaryPath)
      pause()
      // The screen may have been locked meanwhile.
      return try exchange.show(copy, of: asset) { access in
        (try? library.asset(asset.id, for: session.reader(access))) != nil
      }
    } catch { throw error.errno.isOutOfSpace ? .noSpace(path: session.library) : .system(error) }
  }

  private func delete(_ id: String, _ access: PhotoAccess) throws(PhotoRefusal) -> Reply.Outcome {
    try library { (library) throws(PhotoLibraryError) in
      let asset = try library.asset(id, for: self.session.reader(access))
      let isOwn = asset.session == self.session.id.description || asset.app == self.session.app
      // Assets of other apps or of the user may be visible, but no prompt for their deletion is possible
      // here.
      guard isOwn else { throw .notOwn(id) }
      try library.delete(asset)
    }
    exchange.withdraw(id)
    return .success(EmptyResult().json)
  }

  /// Runs an operation of the library, which is opened on first use. Converts errors to what the extension
  /// may know.
  private func library<Result>(
    _ body: (PhotoLibrary) throws(PhotoLibraryError) -> Result
  ) throws(PhotoRefusal) -> Result {
    do throws(PhotoLibraryError) {
      if let opened { return try body(opened) }
      let pause = pause
      let made = try PhotoLibrary(place) { (step) throws(PhotoLibraryError) in
        if step == .copied { pause() }
      }
      opened = made
      return try body(made)
    } catch { throw PhotoRefusal(error) }
  }

  /// Returns an asset in the form of the protocol.
  private func photo(_ asset: Asset) -> PhotoAsset {
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
