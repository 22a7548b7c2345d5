// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The session of this process, for what Apple's frameworks know without being told: scenes, cameras, the library.
enum CurrentSession {
  /// What may be known in any thread.
  private struct State {
    var session: LockedCameraCaptureSession?
    var permissions: SessionPermissions?
    var isCameraRunning = false
  }

  private static let state = Mutex(State())

  /// The session; nil in an app, and before an extension has begun.
  static var session: LockedCameraCaptureSession? { state.withLock(\.session) }

  /// What it may use, as it was last heard of.
  static var permissions: SessionPermissions? { state.withLock(\.permissions) }

  /// Whether frames were asked for and not stopped since.
  static var isCameraRunning: Bool { state.withLock { $0.isCameraRunning } }

  /// Tells the main queue from others, once a session has begun.
  private static let mainQueueMark = DispatchSpecificKey<Bool>()

  /// Whether this is done in the main queue; what the main thread does outside of any queue counts.
  static var isInMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueMark) == true }

  /// Makes a session that of this process.
  @MainActor
  static func set(_ session: LockedCameraCaptureSession, _ permissions: SessionPermissions) {
    let isRunning = session.runtime.delivery != nil
    DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
    state.withLock {
      $0 = State(session: session, permissions: permissions, isCameraRunning: isRunning)
    }
  }

  /// Takes note of whether frames flow in `runtime`'s session.
  @MainActor
  static func update(isCameraRunning: Bool, of runtime: SessionRuntime) {
    state.withLock { state in
      if state.session?.runtime === runtime { state.isCameraRunning = isCameraRunning }
    }
  }

  /// Takes note of other permissions of `runtime`'s session; of another's nobody takes note.
  @MainActor
  static func update(_ permissions: SessionPermissions, of runtime: SessionRuntime) {
    state.withLock { state in
      if state.session?.runtime === runtime { state.permissions = permissions }
    }
  }
}

extension LockedCameraCaptureSession {
  /// Makes this session the one of this process.
  @MainActor
  package func makeCurrent() {
    CurrentSession.set(self, runtime.permissions)
    AppContextAccess.install(AppContextAccess(self))
  }
}
