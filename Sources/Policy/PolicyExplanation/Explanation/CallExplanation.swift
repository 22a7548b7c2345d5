// SPDX-License-Identifier: Apache-2.0

package import Refusals
package import SandboxPolicy
package import SystemCalls

/// The result of a system call under a policy, with its reason.
package struct CallExplanation: Sendable {
  /// The name of the policy.
  package let policy: String
  package let call: ParsedCall
  /// The results: a single part if the arguments are irrelevant or all given, otherwise one allowed and one
  /// refused part.
  package let parts: [Part]
  /// Additional facts about the call, one sentence each.
  package let notes: [String]

  /// The result of the call for some arguments.
  package struct Part: Sendable {
    /// The result.
    package var answer: CallAnswer
    /// The rules that allow the call; empty if it is refused.
    package var rules: [Grant]
    /// The reason for the refusal as text, or `nil` if the call is allowed.
    package var reason: String?
    /// The origin of the refusal, or `nil` if the call is allowed or no policy is the reason.
    package var origin: RefusalOrigin?
    /// An example of a refused call with concrete arguments, or `nil` if the query specified all relevant
    /// arguments.
    package var example: String?
    /// The fix for a refusal.
    package var fix: Fix?
  }

  /// A rule that allows the call.
  package struct Grant: Sendable, Hashable {
    /// The position of the rule.
    package var origin: PolicyOrigin
    /// The path of groups that contains the call; empty if the rule names the call.
    package var groups: [String]
    /// The conditions on the arguments as text; empty if there are none.
    package var condition: String
    /// The arguments that the rule allows.
    var pattern: ArgumentPattern
  }

  /// The result of the call, or `nil` if it depends on arguments that the query did not specify.
  package var answer: CallAnswer? { parts.count == 1 ? parts[0].answer : nil }

  /// The call as text, such as `socket(AF_VSOCK, SOCK_STREAM, 0)` or `prctl`.
  package var text: String {
    guard let name = call.name else { return "call \(call.number)" }
    guard call.arguments.contains(where: { $0 != nil }) else { return name }
    return CallText.render(name, call.arguments, on: call.architecture)
  }
}

extension CallExplanation {
  /// Creates the explanation of a call under a policy, for sessions of an isolation mode.
  package init(of call: ParsedCall, under policy: ResolvedPolicy, mode: SessionMode = .namespaces) {
    let parts = CallExplainer(policy, mode, call).parts
    self.init(
      policy: policy.name,
      call: call,
      parts: parts,
      notes: CallNotes(policy: policy, call: call, parts: parts).sentences
    )
  }
}
