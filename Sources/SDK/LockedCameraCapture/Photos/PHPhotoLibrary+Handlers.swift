// SPDX-License-Identifier: Apache-2.0

extension PHPhotoLibrary {
  /// Makes changes, and calls `completionHandler` with whether that succeeded, and otherwise why not.
  ///
  /// The block and the handler run in a thread of the system's.
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

  /// Makes changes, and waits until they are made; in any thread.
  ///
  /// - Throws: ``PHPhotosError``.
  public func performChangesAndWait(_ changeBlock: () -> Void) throws {
    guard let session = CurrentSession.session else { throw PHPhotosError.noSession }
    let changes = PhotoChanges(session: session)
    PhotoChanges.$current.withValue(changes) { changeBlock() }
    try MainThread.run { try session.runtime.makeNow(changes) }
  }

  /// What reading and changing the library is allowed at the moment; limited counts as yes, as in Apple's.
  public class func authorizationStatus() -> PHAuthorizationStatus {
    wholly(authorizationStatus(for: .readWrite))
  }

  /// Asks the host what reading and changing the library is allowed, and calls `handler`, in the main actor, with it;
  /// limited counts as yes, as in Apple's.
  public class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
    requestAuthorization(for: .readWrite) { handler(wholly($0)) }
  }

  private class func wholly(_ status: PHAuthorizationStatus) -> PHAuthorizationStatus {
    status == .limited ? .authorized : status
  }
}

extension AVCaptureDevice {
  /// Calls `handler` with whether it is allowed at the moment; see ``requestAccess(for:)``.
  public static func requestAccess(
    for mediaType: AVMediaType,
    completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    Task { handler(await requestAccess(for: mediaType)) }
  }
}
