// SPDX-License-Identifier: Apache-2.0

internal import SandboxLaunch
internal import SandboxPolicy

/// Performs the refused system calls that the host can carry out on behalf of the session.
///
/// The host performs calls only for a session that has its own root and its own user namespace.
package struct HostAnswers: Sendable {
  private let identity = OwnIdentity()
  /// Creates hard links on behalf of the session; `nil` if the policy allows no named semaphores.
  private let links: SharedMemoryLinks?

  /// Prepares the calls that a policy allows the host to perform.
  init(_ policy: ResolvedPolicy) { links = SharedMemoryLinks(policy) }

  /// Performs a waiting call, or returns `nil` if the call is to be refused.
  func perform(
    _ call: RefusalListener.WaitingCall,
    _ listener: RefusalListener
  ) -> RefusalListener.Emulation? {
    identity.isKept(by: call) ? .done : links?.create(call, listener)
  }
}
