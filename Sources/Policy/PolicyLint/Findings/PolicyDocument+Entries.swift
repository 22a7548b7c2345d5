// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// What one element of a list of calls stands for: a call, a rule with arguments, or the members of a group.
struct CallEntry: Sendable {
  /// Which list it is in.
  var list: List
  /// Where it stands.
  var origin: PolicyOrigin
  /// The rules of an element of `allow`; in a denial each is the whole call.
  var rules: [SyscallRule]

  /// The lists of calls.
  enum List: Sendable, Hashable {
    /// `syscalls.allow`.
    case allow
    /// `syscalls.deny`.
    case deny
  }

  /// The calls.
  var calls: [String] { rules.map(\.call) }
}

extension PolicyDocument {
  /// The elements of both lists of calls, in the order of the text.
  var entries: [CallEntry] {
    Self.grouped(.allow, allow)
      + Self.grouped(.deny, deny.map { SyscallRule(call: $0.value, origin: $0.origin) })
  }

  /// Rules by the element that they come from; those of one element stand together.
  private static func grouped(_ list: CallEntry.List, _ rules: [SyscallRule]) -> [CallEntry] {
    var entries: [CallEntry] = []
    for rule in rules {
      if let last = entries.indices.last, entries[last].origin == rule.origin {
        entries[last].rules.append(rule)
      } else {
        entries.append(CallEntry(list: list, origin: rule.origin, rules: [rule]))
      }
    }
    return entries
  }
}
