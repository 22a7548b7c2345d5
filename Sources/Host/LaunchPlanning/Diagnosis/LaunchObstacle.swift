// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch
package import SandboxPolicy

/// A failure that prevented a trial launch.
package enum LaunchObstacle: Sendable, Hashable {
  /// The plan could not be created.
  case plan(PlanError)
  /// A launch step failed.
  case step(Step)
  /// The host could not prepare a launch.
  case host(SystemCallError)

  /// A launch step, and the kernel's error.
  package struct Step: Sendable, Hashable {
    /// The name of the step as in session records.
    package var name: String
    /// The layer to which the step belongs.
    package var layer: Layer
    /// The kernel's error number.
    package var errno: Errno
    /// A sentence that describes the failure.
    package var sentence: String

    /// Creates a description of a failed step.
    package init(_ name: String, _ layer: Layer, _ errno: Errno, sentence: String) {
      self.name = name
      self.layer = layer
      self.errno = errno
      self.sentence = sentence
    }
  }

  /// Creates an obstacle from a launch error.
  package init(_ error: SandboxLaunchError) {
    switch error {
    case .host(let error): self = .host(error)
    case .child(let failure):
      self = .step(Step(failure.step, failure.layer, failure.errno, sentence: failure.description))
    }
  }

  /// The layer that is unavailable because of the failure.
  package var layer: Layer {
    switch self {
    case .plan(.missingPath), .plan(.forbiddenPath), .plan(.path), .plan(.programNotFound),
      .plan(.notExecutable),
      .plan(.unreachable), .plan(.program):
      .root
    case .plan(.filter), .plan(.unproved), .plan(.unprovable): .seccomp
    case .plan(.missingLayer(let layer)): layer
    case .plan(.limitAboveHost): .limits
    case .plan(.notAStream), .plan(.socket): .descriptors
    case .plan(.restrictedModeUnavailable(.root)), .plan(.restrictedModeUnavailable(.singleMechanism)),
      .plan(.learningUnavailable):
      .userNamespace
    case .plan(.restrictedModeUnavailable(.landlock)): .landlock
    case .plan(.reservedVariable): .identity
    case .step(let step): step.layer
    case .host: .descriptors
    }
  }

  /// A sentence that describes the failure.
  package var sentence: String {
    switch self {
    case .plan(let error): "\(error)"
    case .step(let step): step.sentence
    case .host(let error): "\(error)"
    }
  }
}

/// The cause of a failed launch, with its fixes.
package struct Cause: Sendable, Hashable {
  /// The cause as a clause.
  package var reason: String
  /// The fixes, best first.
  package var fixes: [Fix]
  /// The layer that is unavailable because of the cause, or `nil` if it is the layer of the failed step.
  package var layer: Layer?

  /// Creates a cause.
  package init(_ reason: String, _ fixes: Fix..., layer: Layer? = nil) {
    self.reason = reason
    self.fixes = fixes
    self.layer = layer
  }
}
