// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
internal import SandboxPolicy

/// The parts of a policy that other modules of the package use.
extension CapturePolicy {
  /// The policy with its digest.
  package var resolved: FoundPolicy { found }

  /// Creates a policy that was found or created.
  package init(_ found: FoundPolicy) {
    self.found = found
    (name, digest) = (found.policy.name, found.digest)
  }
}
