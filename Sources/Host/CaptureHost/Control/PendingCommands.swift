// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The commands of a user or a program that the session has not taken yet.
///
/// The session can be busy for longer than a pointer needs for many moves. A move therefore replaces an earlier move
/// of its contact, so that moves cannot displace the release of a button or the end of a contact.
package struct PendingCommands: Sendable {
  /// The maximum number of commands. Further ones are discarded.
  private let maximumCount: Int
  private var commands: [SessionCommand] = []

  /// Creates a list without commands.
  package init(maximumCount: Int = 64) { self.maximumCount = maximumCount }

  /// Adds all of several commands, or none of them if there are too many.
  ///
  /// - Returns: Whether the commands were added.
  @discardableResult
  package mutating func add(_ more: [SessionCommand]) -> Bool {
    if more.count == 1, replaceMove(with: more[0]) { return true }
    guard commands.count + more.count <= maximumCount else { return false }
    commands += more
    return true
  }

  /// Removes and returns the first command, or returns `nil` if there is none.
  package mutating func takeFirst() -> SessionCommand? { commands.isEmpty ? nil : commands.removeFirst() }

  /// Removes and returns all commands.
  package mutating func takeAll() -> [SessionCommand] {
    defer { commands = [] }
    return commands
  }

  /// Replaces the last event of a contact if that event and `command` are moves. Returns whether it was replaced.
  private mutating func replaceMove(with command: SessionCommand) -> Bool {
    guard case .pointer(let event) = command, event.phase == .moved,
      let index = commands.lastIndex(where: { $0.contact == event.contact }),
      case .pointer(let last) = commands[index], last.phase == .moved
    else { return false }
    commands[index] = command
    return true
  }
}

extension SessionCommand {
  /// The number of the contact with the viewfinder, or `nil` for another command.
  fileprivate var contact: Int? {
    if case .pointer(let event) = self { event.contact } else { nil }
  }
}
