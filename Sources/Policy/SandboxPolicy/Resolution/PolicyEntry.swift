// SPDX-License-Identifier: Apache-2.0

/// An entry of a resolved policy, with its origin and the entries that it shadows.
package struct PolicyEntry: Sendable, Hashable {
  /// The key of the document.
  package var key: Key
  /// The effective value.
  package var value: Value
  /// The position of the entry, or `nil` for a default that no document sets.
  package var origin: PolicyOrigin?
  /// The groups through which a call was included, outermost first; empty for all other entries.
  package var groups: [String] = []
  /// The entries of other documents of the chain that have no effect because of this one.
  package var shadowed: [Shadowed] = []

  /// A key of a policy document.
  package enum Key: Sendable, Hashable {
    /// `syscalls.allow`.
    case allow
    /// `syscalls.deny`.
    case deny
    /// `readOnly`.
    case readOnly
    /// `devices`.
    case devices
    /// `scratch.size`.
    case scratch
    /// `limits.…`.
    case limit(LimitName)
    /// `bestEffort`.
    case bestEffort
    /// `acceptSingleMechanism`.
    case acceptSingleMechanism
    /// `execute`.
    case execute
    /// `semaphores`.
    case semaphores
    /// `content`.
    case content
  }

  /// The value of an entry.
  package enum Value: Sendable, Hashable {
    /// A rule that allows a call.
    case rule(SyscallRule)
    /// The name of a denied call.
    case call(String)
    /// An exposed path.
    case path(ReadOnlyPath)
    /// An exposed device.
    case device(String)
    /// A quantity in the unit of its key.
    case quantity(Int)
    /// The layers that are best effort.
    case layers(Set<Layer>)
    /// The access that a single mechanism may deny.
    case accesses(Set<DeniedAccess>)
    /// Whether programs can be executed.
    case execute(ExecutePermission)
    /// Whether named semaphores can be created.
    case semaphores(SemaphorePermission)
    /// The form in which content is delivered.
    case content(ContentForm)
  }

  /// An entry in a document of the chain that has no effect.
  package struct Shadowed: Sendable, Hashable {
    /// The value of the entry.
    package var value: Value
    /// The position of the entry.
    package var origin: PolicyOrigin
    /// The groups through which a call was included.
    package var groups: [String] = []
    /// The reason for which the entry has no effect.
    package var reason: Reason
  }

  /// A reason for which an entry has no effect.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A document nearer to the start of the chain sets a different value.
    case overridden
    /// Another document contains the same entry.
    case repeated
    /// Another rule allows the call with any arguments.
    case covered
    /// The call is denied, which takes precedence.
    case denied
    /// The path is optional here and required by another document.
    case required
  }
}

extension PolicyEntry.Key: CustomStringConvertible {
  /// The key path, for example `limits.wallClock`.
  package var description: String {
    switch self {
    case .allow: "syscalls.allow"
    case .deny: "syscalls.deny"
    case .readOnly: "readOnly"
    case .devices: "devices"
    case .scratch: "scratch.size"
    case .limit(let name): "limits.\(name.rawValue)"
    case .bestEffort: "bestEffort"
    case .acceptSingleMechanism: "acceptSingleMechanism"
    case .execute: "execute"
    case .semaphores: "semaphores"
    case .content: "content"
    }
  }

  /// The unit of a quantity under this key, or `nil` if the key has no quantity.
  package var unit: LimitName.Unit? {
    switch self {
    case .scratch: .bytes
    case .limit(let name): name.unit
    case .allow, .deny, .readOnly, .devices, .bestEffort, .acceptSingleMechanism, .execute, .semaphores,
      .content:
      nil
    }
  }
}
