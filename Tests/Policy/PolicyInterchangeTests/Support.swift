// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Policies
import PolicyInterchange
import SandboxPolicy
import SystemCalls
import Testing

/// Returns a call on the given architecture.
func call(_ name: String, _ arguments: UInt64..., on architecture: CallArchitecture = .native) throws
  -> SeccompData
{
  SeccompData(
    architecture: architecture.auditArchitecture,
    number: try #require(CallTable.of(architecture).number(of: name)),
    arguments: arguments
  )
}

/// Returns a shipped policy.
func shipped(_ name: String) throws -> ResolvedPolicy {
  try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
}

/// Returns a profile of another program.
func fixture(_ text: [UInt8]) throws -> OCIProfile { try OCIProfile(bytes: text) }

/// Podman's default profile.
func podman() throws -> OCIProfile { try fixture(PackageResources.podman_json) }

/// Flatpak's list.
func flatpak() throws -> OCIProfile { try fixture(PackageResources.flatpak_json) }
