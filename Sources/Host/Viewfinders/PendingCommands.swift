// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// The commands of a display that its session has not taken yet.
///
/// The session can be busy for longer than a pointer needs for many moves. A move therefore replaces an earlier move
/// of its contact, so that moves cannot displace the release of a button or the end of a contact.
struct PendingCommands {
  /// The maximum number of commands. Further ones are discarded.
  private static let maximumCount = 64

  private var commands: [SessionCommand] = []

  /// Adds all of several commands, or none of them if there are too many.
  mutating func add(_ more: [SessionCommand]) {
    if more.count == 1, replaceMove(with: more[0]) { return }
    if commands.count + more.count <= Self.maximumCount { commands += more }
  }

  /// Removes and returns the first command, or returns `nil` if there is none.
  mutating func takeFirst() -> SessionCommand? { commands.isEmpty ? nil : commands.removeFirst() }

  /// Removes and returns all commands.
  mutating func takeAll() -> [SessionCommand] {
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
