// SPDX-License-Identifier: Apache-2.0

/// One entry of a policy together with where it comes from and what does not count beside it.
package struct PolicyEntry: Sendable, Hashable {
  /// The key of the document under which it stands.
  package var key: Key
  /// What holds.
  package var value: Value
  /// Where it is written; nil for what holds because no document says anything.
  package var origin: PolicyOrigin?
  /// The groups by which a call came in, the one that stands in the document first; empty for all else.
  package var groups: [String] = []
  /// What other documents of the chain say about it, and what does not count because of it.
  package var eclipsed: [Eclipsed] = []

  /// The key of a document under which something stands.
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
    /// `execute`.
    case execute
    /// `semaphores`.
    case semaphores
    /// `content`.
    case content
  }

  /// What an entry says.
  package enum Value: Sendable, Hashable {
    /// A way in which a call is allowed.
    case rule(SyscallRule)
    /// The name of a call that is denied.
    case call(String)
    /// A path that the session sees.
    case path(ReadOnlyPath)
    /// A device that the session sees.
    case device(String)
    /// A quantity in the unit of its key.
    case quantity(Int)
    /// The layers that a launch may do without.
    case layers(Set<Layer>)
    /// Whether programs can be executed.
    case execute(ExecutePermission)
    /// Whether named semaphores can be created.
    case semaphores(SemaphorePermission)
    /// How content is delivered.
    case content(ContentForm)
  }

  /// Something that stands in a document of the chain and does not count.
  package struct Eclipsed: Sendable, Hashable {
    /// What stands there.
    package var value: Value
    /// Where.
    package var origin: PolicyOrigin
    /// The groups by which a call came in.
    package var groups: [String] = []
    /// Why it does not count.
    package var reason: Reason
  }

  /// Why something that is written does not count.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A nearer document says something else about it.
    case overridden
    /// It is said already.
    case repeated
    /// Another rule allows the call whatever its arguments are.
    case covered
    /// The call is denied, whoever allows it.
    case denied
    /// The path is optional here and required elsewhere.
    case required
  }
}

extension PolicyEntry.Key: CustomStringConvertible {
  /// The path of the key in a document: `limits.wallClock`.
  package var description: String {
    switch self {
    case .allow: "syscalls.allow"
    case .deny: "syscalls.deny"
    case .readOnly: "readOnly"
    case .devices: "devices"
    case .scratch: "scratch.size"
    case .limit(let name): "limits.\(name.rawValue)"
    case .bestEffort: "bestEffort"
    case .execute: "execute"
    case .semaphores: "semaphores"
    case .content: "content"
    }
  }

  /// What a quantity under this key is counted in; nil if it holds none.
  package var unit: LimitName.Unit? {
    switch self {
    case .scratch: .bytes
    case .limit(let name): name.unit
    case .allow, .deny, .readOnly, .devices, .bestEffort, .execute, .semaphores, .content: nil
    }
  }
}
