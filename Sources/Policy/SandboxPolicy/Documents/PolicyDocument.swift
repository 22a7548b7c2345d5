// SPDX-License-Identifier: Apache-2.0

/// A policy as written in one document, without the policies that it extends.
package struct PolicyDocument: Sendable, Hashable {
  /// The document's name in messages, usually its file name.
  package var source: String
  /// The policy's name.
  package var name: Sourced<String>
  /// The purpose of the policy, in one sentence.
  package var description: String
  /// The name of the policy that this one extends, or `nil` if it extends none.
  package var extends: Sourced<String>?
  /// The rules for the calls that the policy allows; groups are replaced by their members.
  package var allow: [SyscallRule] = []
  /// The calls that the policy denies, even if another document of the chain allows them.
  package var deny: [Sourced<String>] = []
  /// The paths of the host that the policy exposes.
  package var readOnly: [ReadOnlyPath] = []
  /// The devices that the policy exposes.
  package var devices: [Sourced<String>] = []
  /// The size of the container in bytes, or `nil` if the document does not specify it.
  package var scratchBytes: Sourced<Int>?
  /// The limits that the policy sets.
  package var limits: [LimitName: Sourced<Int>] = [:]
  /// The layers that are best effort, or `nil` if the document does not specify them.
  package var bestEffort: Sourced<Set<Layer>>?
  /// The access that a single mechanism may deny, or `nil` if the document does not specify it.
  package var acceptSingleMechanism: Sourced<Set<DeniedAccess>>?
  /// Whether the extension can execute other programs, or `nil` if the document does not specify it.
  package var execute: Sourced<ExecutePermission>?
  /// Whether the extension can create named semaphores, or `nil` if the document does not specify it.
  package var semaphores: Sourced<SemaphorePermission>?
  /// The form in which content is delivered, or `nil` if the document does not specify it.
  package var content: Sourced<ContentForm>?
  /// The newest kernel whose system calls the author has reviewed, or `nil` if the document does not specify
  /// it.
  package var kernel: Sourced<KernelVersion>?
  /// The reasons for grants that the linter reports.
  package var justifications: [PolicyJustification] = []
  /// The positions of all values of the document.
  package var outline = DocumentOutline()
  /// The document as written; empty if the document was created from parsed JSON.
  package var text: [UInt8] = []
}
