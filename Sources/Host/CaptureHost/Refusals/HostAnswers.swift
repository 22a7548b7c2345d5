// SPDX-License-Identifier: Apache-2.0

internal import SandboxLaunch
internal import SandboxPolicy

/// The calls that the filter refuses and the host answers with more than a refusal.
///
/// The host answers for a session that has a root and a user namespace of its own.
package struct HostAnswers: Sendable {
  private let identity = OwnIdentity()
  /// Creates hard links on behalf of the session; `nil` if the policy allows no named semaphores.
  private let links: SharedMemoryLinks?

  /// Prepares the answers that a policy allows.
  init(_ policy: ResolvedPolicy) { links = SharedMemoryLinks(policy) }

  /// Does what a waiting call asks for, or returns `nil` if the call is to be refused.
  func perform(
    _ call: RefusalListener.WaitingCall,
    _ listener: RefusalListener
  ) -> RefusalListener.Performance? {
    identity.isKept(by: call) ? .done : links?.create(call, listener)
  }
}
