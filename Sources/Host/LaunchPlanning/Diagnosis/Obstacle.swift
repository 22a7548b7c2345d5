// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch
package import SandboxPolicy

/// What stood in the way of a trial.
package enum Obstacle: Sendable, Hashable {
  /// No plan could be made.
  case plan(PlanError)
  /// A step of the launch failed.
  case step(Step)
  /// The host could not prepare a launch.
  case host(SystemCallError)

  /// A step of a launch, and the kernel's reason.
  package struct Step: Sendable, Hashable {
    /// The step, as records name it.
    package var name: String
    /// The layer that it belongs to.
    package var layer: Layer
    /// The kernel's reason.
    package var errno: Errno
    /// What happened, as a sentence.
    package var sentence: String

    /// Describes a step.
    package init(_ name: String, _ layer: Layer, _ errno: Errno, sentence: String) {
      self.name = name
      self.layer = layer
      self.errno = errno
      self.sentence = sentence
    }
  }

  /// Takes over what a launch says.
  package init(_ error: SandboxLaunchError) {
    switch error {
    case .host(let error): self = .host(error)
    case .child(let failure):
      self = .step(Step(failure.step, failure.layer, failure.errno, sentence: failure.description))
    }
  }

  /// The layer that is missing for it.
  package var layer: Layer {
    switch self {
    case .plan(.missingPath), .plan(.forbiddenPath), .plan(.path), .plan(.noProgram), .plan(.notExecutable),
      .plan(.unreachable), .plan(.program):
      .root
    case .plan(.filter), .plan(.unproved), .plan(.unprovable): .seccomp
    case .plan(.missingLayer(let layer)): layer
    case .plan(.limitAboveHost): .limits
    case .plan(.notAStream), .plan(.socket): .descriptors
    case .plan(.notRestricted(.root)), .plan(.notLearned): .userNamespace
    case .plan(.notRestricted(.landlock)): .landlock
    case .plan(.reservedVariable): .identity
    case .step(let step): step.layer
    case .host: .descriptors
    }
  }

  /// What happened, as a sentence.
  package var sentence: String {
    switch self {
    case .plan(let error): "\(error)"
    case .step(let step): step.sentence
    case .host(let error): "\(error)"
    }
  }
}

/// Why something stands in the way, and what to do about it.
package struct Cause: Sendable, Hashable {
  /// The reason.
  package var reason: String
  /// What to do about it, the first being the best.
  package var mends: [Mend]
  /// The layer that it takes away, where that is another one than the step's.
  package var layer: Layer?

  /// Describes a cause.
  package init(_ reason: String, _ mends: Mend..., layer: Layer? = nil) {
    self.reason = reason
    self.mends = mends
    self.layer = layer
  }
}
