// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// A call that was refused, explained: what it was, what refused it, where that is written, and what to do.
package struct Refusal: Sendable, Hashable {
  /// The layer that refused it.
  package var layer: Layer
  /// The call's name; `call 999` if no table has its number.
  package var call: String
  /// The arguments in words.
  package var arguments: [DecodedArgument]
  /// The thread that made it, as the host numbers it.
  package var thread: Int32
  /// The name of the program, printable.
  package var program: String
  /// When the host heard of it, in milliseconds since 1970.
  package var at: Int64
  /// The name of the errno that the call failed with.
  package var errno: String
  /// Where the refusal comes from.
  package var origin: RefusalOrigin
  /// Why it was refused, in words.
  package var reason: String
  /// What to do.
  package var mend: Mend
  /// The probe that it is; nil if the program needs the call itself.
  package var probe: Probe?

  /// Explains a call that the filter of a policy refused.
  package init(_ denied: DeniedCall, policy: ResolvedPolicy) {
    let name = SystemCallTable.native.names[denied.number]
    let call = name ?? "call \(denied.number)"
    let explanation = Explanation(call: call, arguments: denied.arguments, policy: policy)
    layer = .seccomp
    self.call = call
    arguments = CallDecoder.decode(call: call, arguments: denied.arguments, memory: denied.memory)
    thread = denied.thread
    program = UntrustedText.word(denied.program)
    at = denied.at
    errno = "EPERM"
    origin = explanation.origin
    reason = explanation.reason
    mend = explanation.mend
    probe = Probe(call: call, arguments: denied.arguments)
  }

  /// The call as a program would write it.
  package var callText: String { "\(call)(\(arguments.map(\.text).joined(separator: ", ")))" }

  /// One sentence without a full stop, for somebody who does not know the code.
  package var sentence: String {
    let who = program.isEmpty ? "the extension" : program
    return "\(who) (thread \(thread)) was refused \(callText) by \(layer.rawValue): \(reason); \(mend.text)"
  }
}

/// Where a refusal comes from.
package enum RefusalOrigin: Sendable, Hashable {
  /// What no policy can take away.
  case core(CoreArea)
  /// Lines that deny the call by name.
  case denied([PolicyOrigin])
  /// Rules that allow the call with other arguments only.
  case otherArguments([FailedRule])
  /// These documents do not mention the call.
  case unlisted([String])
  /// The line that lets the extension start no second program.
  case execution(PolicyOrigin)
  /// No table has the number, so no policy can name it.
  case unknown
  /// The policy allows it; what refused it is no line of the policy.
  case elsewhere
}

/// A rule that would have allowed a call, and what kept it from doing so.
package struct FailedRule: Sendable, Hashable {
  /// Where the rule stands.
  package var origin: PolicyOrigin
  /// What the rule looks at: `option`.
  package var subject: String
  /// What must hold: `option is PR_SET_NAME`.
  package var condition: String
  /// What there was instead: `PR_SET_PTRACER`.
  package var found: String
}

/// What to do about a refusal.
package struct Mend: Sendable, Hashable {
  /// What the program can do instead, as an order; nil if nothing is known.
  package var instead: String?
  /// What allows the call; nil if no policy can.
  package var policy: PolicyMend?

  /// Joins what can be done in the program and in the policy.
  package init(instead: String?, policy: PolicyMend? = nil) {
    self.instead = instead
    self.policy = policy
  }

  /// The end of the sentence.
  package var text: String {
    let parts = [instead, policy.map { "to allow it, \($0.text)" }].compactMap { $0 }
    return parts.isEmpty ? "do without it" : parts.joined(separator: "; ")
  }
}

/// A change of the policy.
package struct PolicyMend: Sendable, Hashable {
  /// Where the change goes.
  package enum Place: Sendable, Hashable {
    /// Into a policy of one's own, which extends this one.
    case extending(String)
    /// Into this document, which is one's own already.
    case document(String)
    /// Out of these lines of one's own document.
    case lines([PolicyOrigin])
    /// Into a copy of this policy with all that it extends: what stands there can't be undone beside it.
    case copy(of: String)
  }

  /// Where the change goes.
  package var place: Place
  /// What to write: a whole policy, or what is to be added to the document; nil where something is to be taken out.
  package var json: JSONValue?
  /// What refuses the call even then; nil if nothing is known to.
  package var caveat: String?

  /// The rest of "to allow it,".
  package var text: String {
    let written = json.map { UntrustedText.printable(json: $0.text(.compact)) } ?? ""
    let words =
      switch place {
      case .extending(let name): "name a policy file with \(written) instead of \(name)"
      case .document(let path): "add \(written) to what \(UntrustedText.quoted(all: Array(path.utf8))) says"
      case .lines(let origins): "take it out of \(Explanation.list(origins))"
      case .copy(let name):
        "write what 'darkroom policy show \(UntrustedText.word(name, limit: 240))' prints to a file, add \(written) "
          + "to it, and name the file instead"
      }
    return words + (caveat.map { ", but \($0)" } ?? "")
  }
}
