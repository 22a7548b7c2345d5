// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// A condition for the execution of a session's program, which is awaited while the sandbox is created.
///
/// The two processes of the session exist meanwhile, and run only the launcher's code. Root, namespaces,
/// user, limits and capabilities are in their final state. Landlock and the filter that revokes the
/// launcher's exemption are applied after the wait, right before the program. The processes exit with the
/// host.
package final class LaunchPermission: Sendable {
  private let wait: @Sendable () -> Bool

  /// Creates a permission. Each launch calls `wait` once, on its own thread, which blocks. If it returns
  /// `false`, the program is not executed and the launch fails.
  package init(_ wait: @escaping @Sendable () -> Bool) { self.wait = wait }

  /// Makes a launch wait for the permission, which must exist until the launch has returned.
  func install(in raw: inout darkroom_plan) {
    raw.permission_context = Unmanaged.passUnretained(self).toOpaque()
    raw.await_permission = { context in
      guard let context else { return false }
      return Unmanaged<LaunchPermission>.fromOpaque(context).takeUnretainedValue().wait()
    }
  }
}
