// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The person's photo library, as a capture extension may use it; Apple's names and shapes.
///
/// The library is the host's: every call is a request to it, and it looks anew at the permission, the lock state and the
/// session each time. Whatever is added can be read at once.
public final class PHPhotoLibrary: Sendable {
  private static let only = PHPhotoLibrary()
  /// Who wants to know of changes.
  let observers = Mutex<[ObserverEntry]>([])

  private init() {}

  /// The one library.
  public class func shared() -> PHPhotoLibrary { only }

  /// Makes changes: what is asked for in `changeBlock` is done when it returns.
  ///
  /// Unlike Apple's, the changes of one block are made one after the other, in their order; the first that fails ends
  /// it, and the earlier ones stay. Everything that can be checked is checked before the first.
  ///
  /// - Parameter changeBlock: Makes ``PHAssetCreationRequest``s and ``PHAssetChangeRequest``s; it runs at once, where
  ///   the call is made.
  /// - Throws: ``PHPhotosError``; or `CancellationError` if the task was cancelled, when the host may have made a change
  ///   all the same.
  nonisolated(nonsending) public func performChanges(_ changeBlock: () -> Void) async throws {
    guard let session = CurrentSession.session else { throw PHPhotosError.noSession }
    let changes = PhotoChanges(session: session)
    PhotoChanges.$current.withValue(changes) { changeBlock() }
    try await session.runtime.make(changes)
  }
}

/// What a change block has asked for.
///
/// Unchecked, because only the block fills it, in one thread, and only afterwards the main actor reads it.
final class PhotoChanges: @unchecked Sendable {
  /// The changes of the block that runs.
  @TaskLocal static var current: PhotoChanges?

  /// One change.
  enum Change {
    /// Add a file.
    case add(PHAssetCreationRequest)
    /// Delete these.
    case delete([String])
  }

  /// The session whose files are added.
  let session: LockedCameraCaptureSession
  /// Whether the block has not returned.
  var isOpen = true
  /// What was asked for, in this order.
  var list: [Change] = []

  init(session: LockedCameraCaptureSession) { self.session = session }

  /// The changes of the block that runs; there has to be one, as in Apple's.
  static func required(_ what: StaticString) -> PhotoChanges {
    guard let current, current.isOpen else {
      fatalError("\(what) was used outside of the block of PHPhotoLibrary.performChanges(_:)")
    }
    return current
  }
}

extension SessionRuntime {
  /// Makes the changes that a block has asked for.
  func make(_ changes: PhotoChanges) async throws {
    changes.isOpen = false
    for case .add(let request) in changes.list { try request.check() }
    for change in changes.list {
      switch change {
      case .add(let request): if request.asset == nil { try await add(request, changes.session) }
      case .delete(let assets):
        for asset in assets { try await photoRequest(.delete(asset: asset), Nothing.self) }
      }
    }
  }

  /// Makes the changes that a block has asked for, and waits for each.
  func makeNow(_ changes: PhotoChanges) throws {
    changes.isOpen = false
    for case .add(let request) in changes.list { try request.check() }
    for change in changes.list {
      switch change {
      case .add(let request): if request.asset == nil { try request.add(changes.session) }
      case .delete(let assets):
        for asset in assets { _ = try photoRequestNow(.delete(asset: asset), Nothing.self) }
      }
    }
  }

  /// Adds the files of one request.
  private func add(_ request: PHAssetCreationRequest, _ session: LockedCameraCaptureSession) async throws {
    for resource in request.resources {
      let staged = try request.stage(resource, in: session)
      do {
        let asset = try await photoRequest(.add(staged.addition), PhotoAddResult.self).asset
        staged.succeed()
        request.asset = request.asset ?? asset
      } catch {
        staged.fail()
        throw error
      }
    }
  }

  /// Asks the host something about the library.
  @discardableResult
  func photoRequest<Result: WireValue>(_ request: PhotoRequest, _ type: Result.Type) async throws -> Result {
    do throws(AskFailure) { return try await ask(.photos(request), type) } catch {
      throw PHPhotosError.published(error)
    }
  }

  /// Asks the host something about the library, and waits.
  func photoRequestNow<Result: WireValue>(_ request: PhotoRequest, _ type: Result.Type) throws -> Result {
    if failure != nil || isOver { throw PHPhotosError.over }
    do throws(CallFailure) { return try connection.call(.photos(request), type) } catch {
      switch error {
      case .refused(let error): throw PHPhotosError(error)
      case .connection(let error):
        failure = error
        throw PHPhotosError.over
      }
    }
  }

  /// What the host says of an access level; nil if it says nothing.
  func photoAuthorization(_ level: PHAccessLevel) async -> PHAuthorizationStatus? {
    let request = PhotoRequest.authorization(level == .addOnly ? .addOnly : .readWrite)
    let result = try? await photoRequest(request, PhotoAuthorizationResult.self)
    return result.map { PHAuthorizationStatus(PermissionStatus($0.status)) }
  }
}
