// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The session of this process, for what Apple's frameworks know without being told: scenes, cameras, the library.
enum CurrentSession {
  /// What may be known in any thread.
  private struct State {
    var session: LockedCameraCaptureSession?
    var permissions: SessionPermissions?
  }

  private static let state = Mutex(State())

  /// The session; nil in an app, and before an extension has begun.
  static var session: LockedCameraCaptureSession? { state.withLock(\.session) }

  /// What it may use, as it was last heard of.
  static var permissions: SessionPermissions? { state.withLock(\.permissions) }

  /// Makes a session that of this process.
  static func set(_ session: LockedCameraCaptureSession, _ permissions: SessionPermissions) {
    state.withLock { $0 = State(session: session, permissions: permissions) }
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
  package func makeCurrent() { CurrentSession.set(self, runtime.permissions) }
}
