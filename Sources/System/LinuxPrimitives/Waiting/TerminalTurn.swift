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
      let text = try? FileSystem.open("stat", in: path, .read).readSome()
    else { return true }
    return Self.isBehind(text, at: UInt64(file.st_rdev))
  }

  /// The same from the text of `/proc/PID/stat` and the number of a terminal's device.
  fileprivate static func isBehind(_ text: [UInt8], at device: UInt64) -> Bool {
    // The name before it is the process's to choose; nothing after it is.
    guard let name = text.lastIndex(of: UInt8(ascii: ")")) else { return true }
    let words = text[(name + 1)...].split(separator: UInt8(ascii: " "))
    guard words.count > 5 else { return true }
    if words[0].elementsEqual("T".utf8) || words[0].elementsEqual("t".utf8) { return true }
    // Whoever has opened `/dev/tty` has opened its own, under a number that all have in common.
    let isOwn = device == ownTerminal || number(words[4]).map(UInt64.init) == device
    return isOwn && words[5] != words[2]
  }

  /// The number of the device `/dev/tty` (devices.txt).
  private static let ownTerminal: UInt64 = 5 << 8
}

/// Whose turn it is at one terminal for one process, for a looker that may open nothing any more (`/proc/PID/stat`).
package struct TerminalWatch: ~Copyable {
  private let facts: Descriptor
  private let device: UInt64

  /// Begins to look after a process at a terminal that is open here under a number; nil: there is no such process.
  package init?(_ process: Int32, at descriptor: Int32) {
    var file = stat()
    guard fstat(descriptor, &file) == 0,
      let opened = try? FileSystem.open("/proc/\(process)/stat", .read)
    else { return nil }
    facts = opened
    device = UInt64(file.st_rdev)
  }

  /// What ``ProcessFacts/isBehind(at:)`` says now.
  package var isBehind: Bool {
    // One that has ended is asked nothing any more.
    guard let text = try? facts.bytes(at: 0, count: 4096) else { return true }
    return ProcessFacts.isBehind(text, at: device)
  }
}
