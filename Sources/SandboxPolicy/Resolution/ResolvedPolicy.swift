// SPDX-License-Identifier: Apache-2.0

/// A policy together with all that it extends: everything that a launcher needs, with nothing left to look up.
package struct ResolvedPolicy: Sendable, Hashable {
  /// The policy's name.
  package var name: String
  /// What the policy is for, in a sentence.
  package var description: String
  /// The names from this policy to the one that extends nothing.
  package var chain: [String]
  /// Every way in which a call is allowed, also those that start the program; whatever is not here is denied.
  package var calls: [SyscallRule]
  /// The paths of the host that the session sees.
  package var readOnly: [ReadOnlyPath]
  /// The devices that the session sees.
  package var devices: [Sourced<String>]
  /// The size of the container, in bytes.
  package var scratchBytes: Int
  /// How much of everything the session may take.
  package var limits: PolicyLimits
  /// The layers that the launch may do without.
  package var bestEffort: Set<Layer>
  /// Whether programs can be executed.
  package var execute: ExecutePermission
}

extension ResolvedPolicy {
  /// The size of a container where no policy of the chain says anything.
  package static let standardScratchBytes = 64 << 20
  /// The sizes that a container can have.
  package static let scratchRange = (64 << 10)...(1 << 40)

  /// The rules of one call; empty if it is denied.
  package func rules(for call: String) -> [SyscallRule] { calls.filter { $0.call == call } }
}
