// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives
package import SandboxPolicy

/// Why a launch came to nothing: the step that failed, what it was about, and the kernel's reason.
///
/// No process is left of a launch that failed.
package struct LaunchFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The step, as the sources of the child name it.
  package let step: String
  /// The layer that the step belongs to, which is not to be had here.
  package let layer: Layer
  /// What the step does, in words.
  package let action: String
  /// The path, limit or capability that the step was about, where there is one.
  package let subject: String?
  /// The kernel's reason.
  package let errno: Errno
  /// What to do about it, where that is known.
  package let mend: String?
  /// Whether it failed because this user can make no user namespace here, so that a restricted launch is another way.
  package let isRefusalOfNamespaces: Bool

  /// What failed and why, without the mend.
  package var cause: String { "could not \(action)\(subject.map { " \($0)" } ?? ""): \(errno)" }

  /// Whether the filter could not have a listener because this process is supervised by another one's.
  package var isListenerTaken: Bool { step == LaunchStep.installFilter.name && errno == .busy }

  /// The other way out of a refusal of namespaces, or `nil` if there is none.
  package var alternative: String? { isRefusalOfNamespaces ? NamespaceRefusal.restricted : nil }

  /// A sentence.
  package var description: String {
    cause + (mend.map { "; \($0)" } ?? "")
  }
}

extension LaunchFailure {
  init(step: LaunchStep, errno: Errno, index: Int, plan: LaunchPlan) {
    self.step = step.name
    layer = step.layer
    self.errno = errno
    action = step.action
    subject = step.subject(index, plan)
    mend = step.mend(errno, plan)
    isRefusalOfNamespaces = step.isRefusalOfNamespaces(errno, plan.identity)
  }
}

extension RootItem {
  /// The item in a message.
  var described: String {
    switch self {
    case .bind(let source, _, _) where source != target, .layer(let source, _, _) where source != target:
      "\(source) as \(target)"
    default: target
    }
  }
}
