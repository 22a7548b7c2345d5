// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SandboxAudit
internal import SystemCalls

/// An answer of a filter to some calls.
public struct FilterAnswer: Sendable, Hashable {
  /// The answer, such as `ALLOW` or `ERRNO(EPERM)`.
  public let answer: String
  /// The name of the call, or its numbers.
  public let call: String
  /// The architectures.
  public let architectures: String
  /// The conditions on the arguments, of which one must hold; empty if there are none.
  public let conditions: [String]
  /// Whether `conditions` is complete, and not only the first of too many conditions.
  public let isComplete: Bool
  /// An example of a call.
  public let example: String

  /// Creates an answer from that of the analysis.
  init(_ entry: BehaviorDifference) {
    (answer, call, architectures) = (entry.before.text, entry.title, entry.architectureText)
    conditions = entry.isUnconditional ? [] : entry.conditions
    (isComplete, example) = (entry.isComplete, CallName.text(entry.witness))
  }
}

extension SystemCallFilter {
  /// The names of the architectures whose calls this machine executes, the native one first.
  public static var architectures: [String] { CallArchitecture.ofThisMachine.map(\.rawValue) }

  /// Returns the answers of the filter, as `darkroom policy explain` does for filters of other programs.
  ///
  /// - Parameters:
  ///   - call: The call: a name, a number, or `name(arg, …)`, where `_` is any value; `nil` for every call.
  ///   - architecture: The architecture of the call, an element of ``architectures``; `nil` for the native one. Without a call,
  ///     the answers are those for every architecture.
  ///   - supervision: The answers of other processes.
  ///
  /// - Returns: The answers with their conditions.
  ///
  /// - Throws: `HostError.argument` if there is no such call or architecture, or `HostError.policy` if the filter cannot be
  ///   compiled or analyzed.
  public func answers(
    to call: String? = nil,
    on architecture: String? = nil,
    under supervision: Supervision = Supervision()
  ) async throws(HostError) -> [FilterAnswer] {
    guard call != nil || architecture == nil else {
      throw HostError(argument: "an architecture requires a call; the answers are for every architecture")
    }
    let parsed = try call.map { text throws(HostError) in try Self.parse(text, architecture) }
    let (filter, known) = (named, supervision.known)
    return try await Self.running { () throws(FilterSourceError) in
      try FilterAnswers(of: filter, to: parsed, under: known).entries.map { FilterAnswer($0) }
    }
  }

  static func parse(_ call: String, _ architecture: String?) throws(HostError) -> ParsedCall {
    var known = CallArchitecture.native
    if let architecture {
      guard let found = CallArchitecture.ofThisMachine.first(where: { $0.rawValue == architecture }) else {
        let names = architectures.joined(separator: ", ")
        throw HostError(
          argument:
            "this machine executes no calls of the architecture '\(architecture)'; use one of \(names)"
        )
      }
      known = found
    }
    do throws(CallTextError) { return try CallText.parse(call, on: known) } catch {
      throw HostError(argument: "\(error)")
    }
  }
}

/// The result of a call under a policy, with its reason.
public struct CallExplanation: Sendable, Hashable {
  /// The call.
  public let call: String
  /// Whether the call is allowed, or `nil` if that depends on arguments that were not given.
  public let isAllowed: Bool?
  /// The explanation as lines of text with at most 100 characters.
  public let lines: [String]
  /// The explanation as a JSON document.
  public let json: String
}

extension CapturePolicy {
  /// Explains a call under the policy, as `darkroom policy explain` does: the rules that allow the call, with their positions; or
  /// the reason of the refusal, and the rule that would allow the call.
  ///
  /// The explanation was compared with the compiled filter for all arguments.
  ///
  /// - Parameters:
  ///   - call: The call: a name, a number, or `name(arg, …)`, where `_` is any value.
  ///   - architecture: An element of ``SystemCallFilter/architectures``, or `nil` for the native one.
  ///   - withoutNamespaces: Whether the session has no namespaces.
  ///
  /// - Returns: The explanation.
  ///
  /// - Throws: `HostError.argument` if there is no such call or architecture, or `HostError.policy` if the policy cannot be
  ///   compiled, or the compiled filter differs from the explanation.
  public func explain(
    _ call: String,
    on architecture: String? = nil,
    withoutNamespaces: Bool = false
  ) async throws(HostError) -> CallExplanation {
    let (parsed, policy) = (try SystemCallFilter.parse(call, architecture), resolved.policy)
    let mode: SessionMode =
      withoutNamespaces ? .restricted(signalsAreScoped: RestrictedMode.signalsAreScoped) : .namespaces
    return try await HostThread.run { () throws(HostError) in
      let checked: CheckedExplanation
      do throws(FilterSourceError) {
        checked = try CheckedExplanation(of: parsed, under: policy, mode: mode)
      } catch { throw HostError(error) }
      if let defect = checked.defect { throw .policy(.init(defect)) }
      return CallExplanation(checked.explanation)
    }
  }
}

extension CallExplanation {
  /// Creates an explanation from that of the policy.
  fileprivate init(_ explanation: PolicyExplanation.CallExplanation) {
    (call, lines) = (explanation.text, explanation.lines(width: 100))
    isAllowed = explanation.answer.map { $0 == .allowed }
    json = String(decoding: explanation.json.bytes(.indented), as: UTF8.self)
  }
}
