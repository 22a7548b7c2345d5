// SPDX-License-Identifier: Apache-2.0

/// A policy as one document has it: what it says itself, without what it extends.
package struct PolicyDocument: Sendable, Hashable {
  /// The document's name for messages, usually its file name.
  package var source: String
  /// The policy's name.
  package var name: Sourced<String>
  /// What the policy is for, in a sentence.
  package var description: String
  /// The name of the policy that this one adds to.
  package var extends: Sourced<String>?
  /// The calls that it allows; groups are already their members.
  package var allow: [SyscallRule] = []
  /// The calls that it denies, whoever allows them.
  package var deny: [Sourced<String>] = []
  /// The paths that it shows.
  package var readOnly: [ReadOnlyPath] = []
  /// The devices that it shows.
  package var devices: [Sourced<String>] = []
  /// The size of the container, in bytes.
  package var scratchBytes: Sourced<Int>?
  /// The limits that it sets.
  package var limits: [LimitName: Sourced<Int>] = [:]
  /// The layers that a launch may do without; nil if it says nothing.
  package var bestEffort: Sourced<Set<Layer>>?
  /// Whether programs can be executed; nil if it says nothing.
  package var execute: Sourced<ExecutePermission>?
  /// Whether named semaphores can be created; nil if it says nothing.
  package var semaphores: Sourced<SemaphorePermission>?
  /// How content is delivered, or `nil` if the document does not specify it.
  package var content: Sourced<ContentForm>?
  /// The newest kernel whose calls its author has looked at; nil if it says nothing.
  package var kernel: Sourced<KernelVersion>?
  /// Why it grants what a check finds fault with.
  package var justifications: [PolicyJustification] = []
  /// Where each of its values stands.
  package var outline = DocumentOutline()
  /// All of it as it was written; empty if it was made of JSON that was read before.
  package var text: [UInt8] = []
}
