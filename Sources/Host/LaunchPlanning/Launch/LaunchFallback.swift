// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy

/// The fallbacks after a failed launch. Sessions and the doctor's trial use the same fallbacks, so the doctor
/// reports the layers that a session gets.
extension LaunchPlan {
  /// Disables the reporting of refused calls if the launch failed because another supervisor listens to this
  /// process.
  ///
  /// The kernel allows one listener per process. A filter without a listener refuses the same calls.
  ///
  /// - Returns: Whether the launch can be repeated.
  package mutating func fallBack(after error: SandboxLaunchError) -> Bool {
    guard case .child(let failure) = error, failure.isListenerTaken, restrictions.refusals == .reported else {
      return false
    }
    restrictions.refusals = .silent
    return true
  }
}

extension ResolvedPolicy {
  /// Returns the reason to repeat a failed launch in restricted mode, or `nil` if the policy or the failure
  /// does not permit it.
  package func restriction(after error: SandboxLaunchError) -> LaunchFailure? {
    guard case .child(let failure) = error, failure.isNamespaceRefusal,
      CurrentProcess.effectiveUserID != 0 || !SessionIdentity.isAdministrator,
      bestEffort.contains(.userNamespace)
    else { return nil }
    return failure
  }
}
