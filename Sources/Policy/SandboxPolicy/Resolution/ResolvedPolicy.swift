// SPDX-License-Identifier: Apache-2.0

/// A policy together with everything that it extends. It is all that a launcher needs.
package struct ResolvedPolicy: Sendable, Hashable {
  /// The policy's name.
  package var name: String
  /// The purpose of the policy, in one sentence.
  package var description: String
  /// The names from this policy to the one that extends nothing.
  package var chain: [String]
  /// The rules for allowed calls, including those that start the program; every other call is denied.
  package var calls: [SyscallRule]
  /// The paths of the host that the session sees.
  package var readOnly: [ReadOnlyPath]
  /// The devices that the session sees.
  package var devices: [Sourced<String>]
  /// The size of the container, in bytes.
  package var scratchBytes: Int
  /// The amounts of all resources that the session may use.
  package var limits: PolicyLimits
  /// The layers that are best effort.
  package var bestEffort: Set<Layer>
  /// The access that a single mechanism may deny to a session without namespaces.
  package var acceptSingleMechanism: Set<DeniedAccess> = []
  /// Whether programs can be executed.
  package var execute: ExecutePermission
  /// The position of `execute`, or that of the policy's name if no document sets it.
  package var executeOrigin: PolicyOrigin
  /// Whether named semaphores can be created.
  package var semaphores = SemaphorePermission.unnamed
  /// The form in which content is delivered.
  package var content: ContentForm
  /// The calls that some document denies, with their positions. A refusal reports the line that caused it.
  package var denials: [Sourced<String>] = []
  /// The documents as written, from the policy's own to the one that extends nothing.
  package var documents: [PolicyDocument] = []
  /// The method of basing another policy on this one.
  package var extensibility: Extensibility = .named

  /// A method of basing another policy on a policy.
  package enum Extensibility: Sendable, Hashable {
    /// By name: the library contains the policy, so that another one can extend it.
    case named
    /// By editing the document at this path: it is not in the library, so that none can extend it.
    case document(String)
  }
}

extension ResolvedPolicy {
  /// The size of the container if no policy of the chain sets it.
  package static let defaultScratchBytes = 64 << 20
  /// The sizes that a container can have.
  package static let scratchRange = (64 << 10)...(1 << 40)

  /// The names of the documents, from the policy's own to the one that extends nothing.
  package var sources: [String] { documents.map(\.source) }

  /// Returns the rules for a call; empty if the call is denied.
  package func rules(for call: String) -> [SyscallRule] { calls.filter { $0.call == call } }

  /// Returns the positions that deny a call by name; empty if none does, even if no rule allows the call.
  package func denials(of call: String) -> [PolicyOrigin] {
    denials.filter { $0.value == call }.map(\.origin)
  }

  /// Whether the policy allows a call with these arguments.
  package func allows(_ call: String, _ arguments: [UInt64]) -> Bool {
    rules(for: call).contains { rule in rule.conditions.allSatisfy { $0.holds(for: arguments) } }
  }
}
