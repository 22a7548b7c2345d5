// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives
internal import Synchronization

extension PrewarmPool: PrewarmedSessions {
  package func openCamera(for request: SessionRequest) throws(SessionError) -> OpenedCamera? {
    try OpenedCamera.openForPrewarming(request)
  }

  package func take(for request: SessionRequest, assets: String?, camera: OpenedCamera?)
    -> (any PrewarmedSession)?
  {
    guard let recipe = PrewarmRecipe(request, assets: assets, camera: camera?.description) else { return nil }
    supervisor.withLock { $0 }?.monitor(request.extension.app)
    let slot = take(recipe.key)
    schedule(recipe, at: MonotonicClock.now + UInt64(limits.pause * 1_000_000_000))
    return slot
  }

  package func giveBack(_ session: any PrewarmedSession) {
    guard let slot = session as? PrewarmedExtension else { return session.drop() }
    giveBack(slot)
  }

  package func dismiss() { dropAll() }
}

extension PrewarmedExtension: PrewarmedSession {}

extension OpenedCamera {
  /// Opens the camera of a request whose extension can be prewarmed, or returns `nil`.
  ///
  /// A pipe delivers its frames once, so its next frame is unknown in advance.
  static func openForPrewarming(_ request: SessionRequest) throws(SessionError) -> OpenedCamera? {
    guard PrewarmKey.allows(request), request.devices.frames == .ring, let camera = request.devices.camera
    else { return nil }
    do throws(CameraFeedError) { return try OpenedCamera(camera, request.streams[0], nil) } catch {
      throw .camera(error)
    }
  }
}
