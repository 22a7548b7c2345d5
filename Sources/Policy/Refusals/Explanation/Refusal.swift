// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// A refused call with the layer that refused it, the origin of the refusal and the fix.
package struct Refusal: Sendable, Hashable {
  /// The layer that refused the call.
  package var layer: Layer
  /// The name of the call, or `call 999` if the number is unknown.
  package var call: String
  /// The decoded arguments.
  package var arguments: [DecodedArgument]
  /// The ID of the thread that made the call, in the host's PID namespace.
  package var thread: Int32
  /// The command name of the thread, in printable form.
  package var program: String
  /// The time of the notification, in milliseconds since 1970.
  package var timestamp: Int64
  /// The name of the error that the call failed with.
  package var errno: String
  /// The origin of the refusal.
  package var origin: RefusalOrigin
  /// The reason for the refusal as text.
  package var reason: String
  package var fix: Fix
  /// The kind of probe, or `nil` if the program needs the call itself.
  package var probe: Probe?

  /// Creates the refusal of a call that the filter of a policy denied.
  package init(_ denied: DeniedCall, policy: ResolvedPolicy) {
    let name = SystemCallTable.native.names[denied.number]
    let call = name ?? "call \(denied.number)"
    let explanation = RefusalExplanation(call: call, arguments: denied.arguments, policy: policy)
    layer = .seccomp
    self.call = call
    arguments = CallDecoder.decode(call: call, arguments: denied.arguments, memory: denied.memory)
    thread = denied.thread
    program = UntrustedText.unquoted(denied.program)
    timestamp = denied.timestamp
    errno = "EPERM"
    origin = explanation.origin
    reason = explanation.reason
    fix = explanation.fix
    probe = Probe(call: call, arguments: denied.arguments)
  }

  /// The call in C syntax.
  package var callText: String { "\(call)(\(arguments.map(\.text).joined(separator: ", ")))" }

  /// The refusal as a sentence without a final period, for readers who do not know the program's code.
  package var sentence: String {
    let subject = program.isEmpty ? "the extension" : program
    return
      "\(subject) (thread \(thread)) was refused \(callText) by \(layer.rawValue): \(reason); \(fix.text)"
  }
}

/// The origin of a refusal.
package enum RefusalOrigin: Sendable, Hashable {
  /// The policy core, which no policy can change.
  case core(CoreArea)
  /// The lines that deny the call by name.
  case denied([PolicyOrigin])
  /// The rules that allow the call only with other arguments.
  case otherArguments([FailedRule])
  /// The documents, none of which mentions the call.
  case unlisted([String])
  /// The line that prevents the extension from executing programs.
  case execution(PolicyOrigin)
  /// The number is unknown, so no policy can name the call.
  case unknown
  /// Another mechanism; the policy allows the call.
  case elsewhere
}

/// A rule that allows a call with other arguments, and the condition that was false.
package struct FailedRule: Sendable, Hashable {
  /// The position of the rule.
  package var origin: PolicyOrigin
  /// The left side of the condition, such as `option`.
  package var subject: String
  /// The condition, such as `option is PR_SET_NAME`.
  package var condition: String
  /// The actual value, such as `PR_SET_PTRACER`.
  package var found: String
}

/// The fix for a refusal.
package struct Fix: Sendable, Hashable {
  /// An alternative for the program, as an imperative, or `nil` if none is known.
  package var alternative: String?
  /// The policy change that allows the call, or `nil` if no policy can.
  package var policy: PolicyFix?

  /// Creates a fix from an alternative and a policy change.
  package init(alternative: String?, policy: PolicyFix? = nil) {
    self.alternative = alternative
    self.policy = policy
  }

  /// The fix as the end of a sentence.
  package var text: String {
    let parts = [alternative, policy.map { "to allow it\($0.location), \($0.text)" }].compactMap { $0 }
    return parts.isEmpty ? "omit the call" : parts.joined(separator: "; ")
  }
}

/// A change to a policy.
package struct PolicyFix: Sendable, Hashable {
  /// The target of a change.
  package enum Target: Sendable, Hashable {
    /// A new policy of the user that extends the named policy.
    case extending(String)
    /// The document at this path, which belongs to the user.
    case document(String)
    /// These lines of the user's document, which are removed.
    case lines([PolicyOrigin])
    /// A copy of the named policy with all of its ancestors, because an extending policy cannot undo a
    /// denial.
    case copy(of: String)
  }

  /// The target of the change.
  package var target: Target
  /// A complete policy or the members to add to the document, or `nil` if removing lines is sufficient.
  package var json: JSONValue?
  /// A restriction of the call's effect or use that remains after the change, or `nil` if none is known.
  package var caveat: String?
  /// The only directory in which the change has an effect, or `nil` if it applies everywhere.
  package var directory: String?

  /// The directory as part of a sentence, or an empty text.
  var location: String { directory.map { " below \($0) (Landlock refuses it elsewhere)" } ?? "" }

  /// The change as the end of a sentence that starts with "to allow it,".
  package var text: String {
    let written = json.map { UntrustedText.printable(json: $0.text(.compact)) } ?? ""
    let words =
      switch target {
      case .extending(let name): "use a policy file with \(written) instead of \(name)"
      case .document(let path): "add \(written) to \(UntrustedText.quoted(all: Array(path.utf8)))"
      case .lines(let origins):
        "remove it from \(RefusalExplanation.list(origins))"
          + (written.isEmpty ? "" : " and add \(written)")
      case .copy(let name):
        "write the output of 'darkroom policy show \(UntrustedText.unquoted(name, limit: 240))' to a file, "
          + "add \(written) to it, and use that file instead"
      }
    return words + (caveat.map { ", but \($0)" } ?? "")
  }
}
