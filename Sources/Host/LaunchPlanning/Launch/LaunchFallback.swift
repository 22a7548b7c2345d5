// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy

/// The fallbacks of a launch that failed. Sessions and the doctor's trial take the same ones, so that the doctor reports
/// the layers that a session gets.
extension LaunchPlan {
  /// Stops reporting refused calls if the launch failed because another supervisor listens to this process, and returns
  /// whether the launch can be repeated.
  ///
  /// The kernel allows a process one listener. A filter without a listener refuses the same calls.
  package mutating func fallBack(after error: SandboxLaunchError) -> Bool {
    guard case .child(let failure) = error, failure.isListenerTaken, refusals == .reported else {
      return false
    }
    refusals = .silent
    return true
  }
}

extension ResolvedPolicy {
  /// Returns the reason to repeat a failed launch in the restricted mode, or `nil` if the policy or the failure does not
  /// permit it.
  package func restriction(after error: SandboxLaunchError) -> LaunchFailure? {
    guard case .child(let failure) = error, failure.isRefusalOfNamespaces,
      CurrentProcess.effectiveUserID != 0, bestEffort.contains(.userNamespace)
    else { return nil }
    return failure
  }
}
