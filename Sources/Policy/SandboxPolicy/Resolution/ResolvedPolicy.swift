// SPDX-License-Identifier: Apache-2.0

/// A policy together with all that it extends: everything that a launcher needs, with nothing left to look up.
package struct ResolvedPolicy: Sendable, Hashable {
  /// The policy's name.
  package var name: String
  /// What the policy is for, in a sentence.
  package var description: String
  /// The names from this policy to the one that extends nothing.
  package var chain: [String]
  /// Every way in which a call is allowed, also those that start the program; whatever is not here is denied.
  package var calls: [SyscallRule]
  /// The paths of the host that the session sees.
  package var readOnly: [ReadOnlyPath]
  /// The devices that the session sees.
  package var devices: [Sourced<String>]
  /// The size of the container, in bytes.
  package var scratchBytes: Int
  /// How much of everything the session may take.
  package var limits: PolicyLimits
  /// The layers that the launch may do without.
  package var bestEffort: Set<Layer>
  /// Whether programs can be executed.
  package var execute: ExecutePermission
  /// Where it stands whether programs can be executed, or the name of the policy if it stands nowhere.
  package var executeOrigin: PolicyOrigin
  /// Whether named semaphores can be created.
  package var semaphores = SemaphorePermission.unnamed
  /// How content is delivered.
  package var content: ContentForm
  /// The calls that some document denies, with the place: whoever is refused one is told which line it was.
  package var denials: [Sourced<String>] = []
  /// The documents as they were written, from the policy's own to the one that extends nothing.
  package var documents: [PolicyDocument] = []
  /// How another policy can be based on this one.
  package var standing: Standing = .named

  /// How another policy can be based on this one.
  package enum Standing: Sendable, Hashable {
    /// By its name: it is one of those that a policy can extend.
    case named
    /// By changing this document: it is somebody's own, which none can extend.
    case document(String)
  }
}

extension ResolvedPolicy {
  /// The size of a container where no policy of the chain says anything.
  package static let standardScratchBytes = 64 << 20
  /// The sizes that a container can have.
  package static let scratchRange = (64 << 10)...(1 << 40)

  /// What the documents are called, from the policy's own to the one that extends nothing.
  package var sources: [String] { documents.map(\.source) }

  /// The rules of one call; empty if it is denied.
  package func rules(for call: String) -> [SyscallRule] { calls.filter { $0.call == call } }

  /// Where a call is denied by name; empty if it is not, also if nothing allows it.
  package func denials(of call: String) -> [PolicyOrigin] {
    denials.filter { $0.value == call }.map(\.origin)
  }

  /// Whether the call is allowed with these arguments.
  package func allows(_ call: String, _ arguments: [UInt64]) -> Bool {
    rules(for: call).contains { rule in rule.conditions.allSatisfy { $0.holds(for: arguments) } }
  }
}
