// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives
package import SandboxPolicy

/// A failed launch: the failed step, its subject, and the kernel's error.
///
/// A failed launch leaves no process.
package struct LaunchFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the step.
  package let step: String
  /// The layer of the step, which is unavailable.
  package let layer: Layer
  /// The step and its subject, as text that follows "cannot".
  package let action: String
  /// The path, limit or capability of the step, or `nil`.
  package let subject: String?
  /// The kernel's error.
  package let errno: Errno
  /// The fix, or `nil` if none is known.
  package let fix: String?
  /// Whether this user cannot create a user namespace, so that a restricted launch is an alternative.
  package let isNamespaceRefusal: Bool

  /// A description of the failure, without the fix.
  package var cause: String { "cannot \(action): \(errno)" }

  /// Whether the filter could not have a listener because another process supervises this process.
  package var isListenerTaken: Bool { step == LaunchStep.installFilter.name && errno == .busy }

  /// The alternative after a refusal of namespaces, or `nil` if there is none.
  package var alternative: String? { isNamespaceRefusal ? NamespaceRefusal.restricted : nil }

  /// The description with the fix.
  package var description: String {
    cause + (fix.map { "; \($0)" } ?? "")
  }
}

extension LaunchFailure {
  init(step: LaunchStep, errno: Errno, index: Int, plan: LaunchPlan) {
    self.step = step.name
    layer = step.layer
    self.errno = errno
    subject = step.subject(index, plan)
    action = step.action(on: subject)
    fix = step.fix(errno, index, plan)
    isNamespaceRefusal = step.isNamespaceRefusal(errno, index, plan)
  }
}

extension RootItem {
  /// The item in a message.
  var displayPath: String {
    switch self {
    case .bind(let source, _, _) where source != target, .layer(let source, _, _) where source != target:
      "\(source) as \(target)"
    default: target
    }
  }
}
