// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning

/// The parts of a policy that other modules of the package use.
extension CapturePolicy {
  /// The policy with its digest.
  package var resolved: FoundPolicy { found }
}
