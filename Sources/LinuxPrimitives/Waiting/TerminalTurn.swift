// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Whose turn it is at a terminal: only the group of processes in front may take what is typed there.
///
/// The kernel sees to it for whoever has the terminal as its own, and has not blocked the signals by which it does. Neither
/// is so in a server, or in a thread that waits for an answer.
package struct TerminalTurn: Sendable {
  /// Whether somebody else is in front of a terminal that is open under a number.
  package let isBehind: @Sendable (Int32) -> Bool
  /// Stops whoever wants keys out of turn, until a person brings them to the front.
  package let stop: @Sendable () -> Void

  /// Describes it.
  package init(isBehind: @escaping @Sendable (Int32) -> Bool, stop: @escaping @Sendable () -> Void) {
    self.isBehind = isBehind
    self.stop = stop
  }

  /// That of this process.
  package static let own = TerminalTurn(
    isBehind: { CurrentProcess.isBehind($0) },
    stop: { CurrentProcess.stopGroup() }
  )
}

extension ProcessFacts {
  /// Whether the process, if it wants to read from a terminal that is open here under a number, is behind another group of
  /// processes there, or stopped. A terminal that is not its own is for everybody.
  package func isBehind(at descriptor: Int32) -> Bool {
    var file = stat()
    let path = PathBase.directory(rawDirectory)
    // One that has ended is asked nothing any more.
    guard fstat(descriptor, &file) == 0,
      let text = try? FileSystem.open("stat", in: path, .read).readSome(),
      // The name before it is the process's to choose; nothing after it is.
      let name = text.lastIndex(of: UInt8(ascii: ")"))
    else { return true }
    let words = text[(name + 1)...].split(separator: UInt8(ascii: " "))
    guard words.count > 5 else { return true }
    if words[0].elementsEqual("T".utf8) || words[0].elementsEqual("t".utf8) { return true }
    // Whoever has opened `/dev/tty` has opened its own, under a number that all have in common.
    let isOwn = file.st_rdev == Self.ownTerminal || Self.number(words[4]) == Int(file.st_rdev)
    return isOwn && words[5] != words[2]
  }

  /// The number of the device `/dev/tty` (devices.txt).
  private static let ownTerminal: dev_t = 5 << 8
}
