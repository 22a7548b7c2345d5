// SPDX-License-Identifier: Apache-2.0

/// The keys of a policy document, by object. The keys of `limits` are in ``LimitName``.
package enum PolicyKeys {
  /// The keys of the document.
  package enum Document: String, CaseIterable, Sendable {
    /// The JSON Schema, for editors; ignored by the parser.
    case schema = "$schema"
    /// The policy's name.
    case name
    /// The purpose of the policy.
    case description
    /// The policy that this one extends.
    case extends
    /// The rules for system calls.
    case syscalls
    /// The exposed paths.
    case readOnly
    /// The exposed devices.
    case devices
    /// The container.
    case scratch
    /// The limits.
    case limits
    /// The layers that are best effort.
    case bestEffort
    /// The access that a single mechanism may deny.
    case acceptSingleMechanism
    /// Whether other programs can be executed.
    case execute
    /// Whether named semaphores can be created.
    case semaphores
    /// The form in which content is delivered.
    case content
    /// The newest kernel that the author has reviewed.
    case kernel
    /// The reasons for grants that the linter reports.
    case justifications
  }

  /// The keys of `syscalls`.
  package enum Syscalls: String, CaseIterable, Sendable {
    /// The allowed calls.
    case allow
    /// The denied calls; a denial takes precedence over every rule that allows the call.
    case deny
  }

  /// The keys of a rule with arguments.
  package enum Rule: String, CaseIterable, Sendable {
    /// The call's name.
    case call
    /// The conditions on its arguments.
    case arguments
  }

  /// The keys of a condition.
  package enum Argument: String, CaseIterable, Sendable {
    /// The index of the argument.
    case index
    /// The bits to compare.
    case mask
    /// The value to compare with.
    case equals
  }

  /// The keys of a path.
  package enum Path: String, CaseIterable, Sendable {
    /// The path.
    case path
    /// Whether the path may be missing.
    case optional
  }

  /// The keys of `scratch`.
  package enum Scratch: String, CaseIterable, Sendable {
    /// The size of the container.
    case size
  }

  /// The keys of a justification.
  package enum Justification: String, CaseIterable, Sendable {
    /// The linter's rule.
    case rule
    /// The subject of the findings.
    case subject
    /// The reason.
    case reason
  }
}
