// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The rules of one element in a list of calls: a call, a rule with arguments, or the members of a group.
struct CallEntry: Sendable {
  /// The list that contains the element.
  var list: List
  /// The position of the element.
  var origin: PolicyOrigin
  /// The rules of the element. In `deny`, each rule is for a whole call.
  var rules: [SyscallRule]

  /// A list of calls in a document.
  enum List: Sendable, Hashable {
    /// The list `syscalls.allow`.
    case allow
    /// The list `syscalls.deny`.
    case deny
  }

  /// The calls of the rules.
  var calls: [String] { rules.map(\.call) }
}

extension PolicyDocument {
  /// The elements of both lists, in the order of the text.
  var entries: [CallEntry] {
    Self.grouped(.allow, allow)
      + Self.grouped(.deny, deny.map { SyscallRule(call: $0.value, origin: $0.origin) })
  }

  /// Returns rules grouped by element; the rules of an element are adjacent.
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
