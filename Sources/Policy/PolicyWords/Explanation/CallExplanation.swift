// SPDX-License-Identifier: Apache-2.0

package import Refusals
package import SandboxPolicy
package import SystemCalls

/// What becomes of a system call under a policy, and why.
package struct CallExplanation: Sendable {
  /// The policy's name.
  package let policy: String
  /// The call that was asked about.
  package let call: ParsedCall
  /// What becomes of it: one part if its arguments don't matter or are all stated, else what is allowed and what is not.
  package let parts: [Part]
  /// What else there is to know about the call, a sentence each.
  package let notes: [String]

  /// What becomes of the call with some arguments.
  package struct Part: Sendable {
    /// What becomes of it.
    package var answer: CallAnswer
    /// The rules that allow it; empty where it is not allowed.
    package var rules: [Grant]
    /// Why it is not allowed, in words; nil where it is.
    package var reason: String?
    /// Where the refusal comes from; nil where it is allowed or no policy is the reason.
    package var origin: RefusalOrigin?
    /// A call of this kind, whose arguments nobody has stated; nil where all that matter were.
    package var example: String?
    /// What to do about a refusal.
    package var mend: Mend?
  }

  /// A rule that allows the call.
  package struct Grant: Sendable, Hashable {
    /// Where it stands.
    package var origin: PolicyOrigin
    /// The groups by which the call came in.
    package var groups: [String]
    /// What must hold of the arguments, in words; empty if nothing must.
    package var condition: String
    /// The ways in which the call is allowed.
    var pattern: ArgumentPattern
  }

  /// What becomes of the call, if that does not depend on arguments that were not stated.
  package var answer: CallAnswer? { parts.count == 1 ? parts[0].answer : nil }

  /// The call as it was asked about: `socket(AF_VSOCK, SOCK_STREAM, 0)`, or `prctl`.
  package var text: String {
    guard let name = call.name else { return "call \(call.number)" }
    guard call.arguments.contains(where: { $0 != nil }) else { return name }
    return CallText.render(name, call.arguments, on: call.architecture)
  }
}
