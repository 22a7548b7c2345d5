// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The user's photo library, with the access of a capture extension; Apple's names and signatures.
///
/// The host owns the library: every call sends a request, for which the host checks the permission, the lock
/// state and the session again. Added assets can be read immediately.
public final class PHPhotoLibrary: Sendable {
  private static let sharedLibrary = PHPhotoLibrary()
  /// The observers of changes.
  let observers = Mutex<[ObserverEntry]>([])

  private init() {}

  /// Returns the shared library.
  public class func shared() -> PHPhotoLibrary { sharedLibrary }

  /// Makes the changes that `changeBlock` requests, and returns when they are made.
  ///
  /// Unlike in Apple's API, the changes of a block are made one after the other, in order. The first failure
  /// ends the sequence, and earlier changes remain. All checks that do not need the host are made before the
  /// first change.
  ///
  /// - Parameter changeBlock: Creates ``PHAssetCreationRequest`` and ``PHAssetChangeRequest`` objects; it
  ///   runs immediately, on the calling thread.
  /// - Throws: ``PHPhotosError``; or `CancellationError` if the task was canceled, in which case the host may
  ///   still have made a change.
  nonisolated(nonsending) public func performChanges(_ changeBlock: () -> Void) async throws {
    guard let session = CurrentSession.session else { throw PHPhotosError.noSession }
    let changes = PhotoChanges(session: session)
    PhotoChanges.$current.withValue(changes) { changeBlock() }
    try await session.runtime.perform(changes)
  }
}

/// The changes that a change block has requested.
///
/// `@unchecked Sendable`, because only the block modifies it, on one thread, and only afterwards the main
/// actor reads it.
final class PhotoChanges: @unchecked Sendable {
  /// The changes of the block that is running.
  @TaskLocal static var current: PhotoChanges?

  /// A change.
  enum Change {
    /// Adds an asset.
    case add(PHAssetCreationRequest)
    /// Deletes the assets with these identifiers.
    case delete([String])
  }

  /// The session that adds the files.
  let session: LockedCameraCaptureSession
  /// Whether the block is still running.
  var isOpen = true
  /// The requested changes, in order.
  var list: [Change] = []

  init(session: LockedCameraCaptureSession) { self.session = session }

  /// Returns the changes of the block that is running; terminates the process outside a block, as Apple's
  /// framework does.
  static func required(_ what: StaticString) -> PhotoChanges {
    guard let current, current.isOpen else {
      fatalError("\(what) was used outside the block of PHPhotoLibrary.performChanges(_:)")
    }
    return current
  }
}

extension SessionRuntime {
  /// Makes the changes that a block has requested.
  func perform(_ changes: PhotoChanges) async throws {
    changes.isOpen = false
    for case .add(let request) in changes.list { try request.check() }
    for change in changes.list {
      switch change {
      case .add(let request): if request.asset == nil { try await add(request, changes.session) }
      case .delete(let assets):
        for asset in assets { try await photoRequest(.delete(asset: asset), EmptyResult.self) }
      }
    }
  }

  /// Makes the changes that a block has requested, and blocks until each is made.
  func performAndWait(_ changes: PhotoChanges) throws {
    changes.isOpen = false
    for case .add(let request) in changes.list { try request.check() }
    for change in changes.list {
      switch change {
      case .add(let request): if request.asset == nil { try request.add(changes.session) }
      case .delete(let assets):
        for asset in assets { _ = try photoRequestAndWait(.delete(asset: asset), EmptyResult.self) }
      }
    }
  }

  /// Adds the files of a request.
  private func add(_ request: PHAssetCreationRequest, _ session: LockedCameraCaptureSession) async throws {
    for resource in request.resources {
      let staged = try request.stage(resource, in: session)
      do {
        let asset = try await photoRequest(.add(staged.addition), PhotoAddResult.self).asset
        staged.commit()
        request.asset = request.asset ?? asset
      } catch {
        staged.discard()
        throw error
      }
    }
  }

  /// Sends a request about the library and suspends until its result arrives.
  @discardableResult
  func photoRequest<Result: WireValue>(_ request: PhotoRequest, _ type: Result.Type) async throws -> Result {
    do throws(RequestFailure) { return try await awaitResult(.photos(request), type) } catch {
      throw PHPhotosError.publicError(error)
    }
  }

  /// Sends a request about the library and blocks until its result arrives.
  func photoRequestAndWait<Result: WireValue>(_ request: PhotoRequest, _ type: Result.Type) throws -> Result {
    if failure != nil || isClosed { throw PHPhotosError.sessionEnded }
    do throws(CallFailure) { return try connection.call(.photos(request), type) } catch {
      switch error {
      case .refused(let error): throw PHPhotosError(error)
      case .connection(let error):
        failure = error
        throw PHPhotosError.sessionEnded
      }
    }
  }

  /// Returns the host's permission for an access level, or `nil` if the request fails.
  func photoAuthorization(_ level: PHAccessLevel) async -> PHAuthorizationStatus? {
    let request = PhotoRequest.authorization(level == .addOnly ? .addOnly : .readWrite)
    let result = try? await photoRequest(request, PhotoAuthorizationResult.self)
    return result.map { PHAuthorizationStatus(PermissionStatus($0.status)) }
  }
}
