// SPDX-License-Identifier: Apache-2.0

extension PHPhotoLibrary {
  /// Makes changes, and calls `completionHandler` with `true`, or with `false` and the error.
  ///
  /// The block and the handler run on a thread of the task pool.
  public func performChanges(
    _ changeBlock: @escaping @Sendable () -> Void,
    completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    Task {
      do {
        try await performChanges(changeBlock)
        completionHandler?(true, nil)
      } catch { completionHandler?(false, error) }
    }
  }

  /// Makes changes, and blocks until they are made; may be called on any thread.
  ///
  /// - Parameter changeBlock: Creates the change requests; it runs on the calling thread.
  /// - Throws: ``PHPhotosError`` if a change fails.
  public func performChangesAndWait(_ changeBlock: () -> Void) throws {
    guard let session = CurrentSession.session else { throw PHPhotosError.noSession }
    let changes = PhotoChanges(session: session)
    PhotoChanges.$current.withValue(changes) { changeBlock() }
    try MainThread.run { try session.runtime.performAndWait(changes) }
  }

  /// Returns the current permission to read and change the library; as in Apple's API, limited access is
  /// reported as `authorized`.
  public class func authorizationStatus() -> PHAuthorizationStatus {
    treatingLimitedAsAuthorized(authorizationStatus(for: .readWrite))
  }

  /// Queries the host for the permission to read and change the library, and calls `handler` in the main
  /// actor with the result.
  ///
  /// As in Apple's API, limited access is reported as `authorized`.
  public class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
    requestAuthorization(for: .readWrite) { handler(treatingLimitedAsAuthorized($0)) }
  }

  private class func treatingLimitedAsAuthorized(_ status: PHAuthorizationStatus) -> PHAuthorizationStatus {
    status == .limited ? .authorized : status
  }
}

extension AVCaptureDevice {
  /// Calls `handler` with whether access is currently permitted; see ``requestAccess(for:)``.
  public static func requestAccess(
    for mediaType: AVMediaType,
    completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    Task { handler(await requestAccess(for: mediaType)) }
  }
}
