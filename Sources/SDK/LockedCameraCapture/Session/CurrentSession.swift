// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The session of this process, for APIs that take no session argument: scenes, cameras and the photo
/// library.
package enum CurrentSession {
  /// The state that any thread can read.
  private struct State {
    var session: LockedCameraCaptureSession?
    var permissions: SessionPermissions?
  }

  private static let state = Mutex(State())

  /// The session, or `nil` in an app and before the session of an extension starts.
  package static var session: LockedCameraCaptureSession? { state.withLock(\.session) }

  /// The permissions that the host last reported.
  static var permissions: SessionPermissions? { state.withLock(\.permissions) }

  /// Whether the camera was started and not stopped since.
  package static var isCameraRunning: Bool { session?.runtime.delivery != nil }

  /// The number of starts of the camera and of changes of its settings by this process. Settings that were read at another
  /// number are outdated.
  package static var cameraRevision: Int { session?.runtime.frameDelivery.withLock(\.revision) ?? 0 }

  /// The key that marks the main queue, once a session has started.
  private static let mainQueueKey = DispatchSpecificKey<Bool>()

  /// Whether the caller runs on the main queue.
  ///
  /// Code that the main thread runs outside any queue also counts.
  package static var isInMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

  /// Makes `session` the session of this process.
  @MainActor
  static func set(_ session: LockedCameraCaptureSession, _ permissions: SessionPermissions) {
    DispatchQueue.main.setSpecific(key: mainQueueKey, value: true)
    state.withLock { $0 = State(session: session, permissions: permissions) }
  }

  /// Records new permissions, if `runtime` belongs to the session of this process.
  @MainActor
  static func update(_ permissions: SessionPermissions, of runtime: SessionRuntime) {
    state.withLock { state in
      if state.session?.runtime === runtime { state.permissions = permissions }
    }
  }
}

extension LockedCameraCaptureSession {
  /// Makes this session the session of this process.
  @MainActor
  package func makeCurrent() {
    CurrentSession.set(self, runtime.permissions)
    AppContextAccess.install(AppContextAccess(self))
  }
}
