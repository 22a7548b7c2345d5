// SPDX-License-Identifier: Apache-2.0

/// The keys of a policy document, object by object; the limits have ``LimitName``.
package enum PolicyKeys {
  /// The keys of the document.
  package enum Document: String, CaseIterable, Sendable {
    /// For editors; means nothing here.
    case schema = "$schema"
    /// The policy's name.
    case name
    /// What it is for.
    case description
    /// The policy that it adds to.
    case extends
    /// The calls.
    case syscalls
    /// The paths.
    case readOnly
    /// The devices.
    case devices
    /// The container.
    case scratch
    /// The limits.
    case limits
    /// The layers that may be missing.
    case bestEffort
    /// Whether programs can be started.
    case execute
    /// Whether named semaphores can be created.
    case semaphores
    /// How content is delivered.
    case content
    /// The kernel that its author has looked at.
    case kernel
    /// Why it grants what a check finds fault with.
    case justifications
  }

  /// The keys of `syscalls`.
  package enum Syscalls: String, CaseIterable, Sendable {
    /// What is allowed.
    case allow
    /// What is denied, whoever allows it.
    case deny
  }

  /// The keys of a rule with arguments.
  package enum Rule: String, CaseIterable, Sendable {
    /// The call's name.
    case call
    /// What must hold of its arguments.
    case arguments
  }

  /// The keys of a condition.
  package enum Argument: String, CaseIterable, Sendable {
    /// Which argument.
    case index
    /// Which bits.
    case mask
    /// What they must be.
    case equals
  }

  /// The keys of a path.
  package enum Path: String, CaseIterable, Sendable {
    /// The path.
    case path
    /// Whether it may be missing.
    case optional
  }

  /// The keys of `scratch`.
  package enum Scratch: String, CaseIterable, Sendable {
    /// How large the container is.
    case size
  }

  /// The keys of a justification.
  package enum Justification: String, CaseIterable, Sendable {
    /// The rule whose findings are meant.
    case rule
    /// What they are about.
    case subject
    /// The reason.
    case reason
  }
}
