// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Policies
import PolicyInterchange
import SandboxPolicy
import SystemCalls
import Testing

/// A call on the native architecture, or on another one.
func call(_ name: String, _ arguments: UInt64..., on architecture: CallArchitecture = .native) throws
  -> CallInput
{
  CallInput(
    architecture: architecture.auditNumber,
    number: try #require(CallTable.of(architecture).number(of: name)),
    arguments: arguments
  )
}

/// A policy that comes with Darkroom.
func shipped(_ name: String) throws -> ResolvedPolicy {
  try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
}

/// A profile of another program that is an input of tests.
func fixture(_ text: [UInt8]) throws -> OCIProfile { try OCIProfile(bytes: text) }

/// Podman's default profile.
func podman() throws -> OCIProfile { try fixture(PackageResources.podman_json) }

/// flatpak's list.
func flatpak() throws -> OCIProfile { try fixture(PackageResources.flatpak_json) }
