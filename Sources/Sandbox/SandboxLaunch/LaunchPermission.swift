// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// What has to have happened before the program of a session is executed, and is waited for while the sandbox around it is made.
///
/// The session's two processes are there meanwhile and run nothing but the launcher's own code. Root, namespaces, user, limits and
/// capabilities are as they will be; Landlock and the filter that takes back what the launcher needed come after the wait, right
/// before the program. The processes end with the host.
package final class LaunchPermission: Sendable {
  private let wait: @Sendable () -> Bool

  /// Each launch calls `wait` once, on its own thread, which that blocks; false: the program is not executed, and the launch fails.
  package init(_ wait: @escaping @Sendable () -> Bool) { self.wait = wait }

  /// Has a launch ask for it; this must live until the launch has returned.
  func demand(in raw: inout darkroom_plan) {
    raw.permission_context = Unmanaged.passUnretained(self).toOpaque()
    raw.await_permission = { context in
      guard let context else { return false }
      return Unmanaged<LaunchPermission>.fromOpaque(context).takeUnretainedValue().wait()
    }
  }
}
