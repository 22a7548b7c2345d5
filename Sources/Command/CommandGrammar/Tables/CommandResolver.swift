// SPDX-License-Identifier: Apache-2.0

/// The resolution of typed names, which can be former names, to a command.
package struct CommandResolver: Sendable {
  /// The path to the command that the names so far denote.
  package private(set) var path: CommandPath
  /// The former name that was resolved last, or `nil` if all names are current.
  package private(set) var formerName: FormerName?
  /// The names as typed.
  private var typed: [String] = []

  /// Creates a resolver that starts at the root command.
  package init(_ root: CommandSpec) { path = CommandPath(root) }

  /// Resolves several names, or returns `nil` if they do not denote a command.
  package init?(_ root: CommandSpec, _ names: [String]) {
    self.init(root)
    for name in names {
      guard descend(to: name) else { return nil }
    }
  }

  /// Resolves the next name and returns whether the command exists. If it does not exist, the path is
  /// unchanged.
  package mutating func descend(to name: String) -> Bool {
    let names = typed + [name]
    if !path.descend(to: name) {
      guard let former = path.root.formerNames.first(where: { $0.former == names }),
        let current = CommandPath(path.root, former.current)
      else { return false }
      path = current
      formerName = former
    }
    typed = names
    return true
  }
}
