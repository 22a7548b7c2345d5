// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Job control for a terminal: only the foreground process group may read input.
///
/// The kernel enforces this for a process with this controlling terminal that does not block the job control
/// signals. A server has no controlling terminal, and a thread that waits for an answer blocks the signals.
package struct TerminalJobControl: Sendable {
  /// Returns whether another process group is in the foreground of a terminal.
  package let isInBackground: @Sendable (Int32) -> Bool
  /// Stops a background process that needs input, until the user moves it to the foreground.
  package let stop: @Sendable () -> Void

  /// Creates job control from two functions.
  package init(isInBackground: @escaping @Sendable (Int32) -> Bool, stop: @escaping @Sendable () -> Void) {
    self.isInBackground = isInBackground
    self.stop = stop
  }

  /// The job control of this process.
  package static let own = TerminalJobControl(
    isInBackground: { CurrentProcess.isInBackground($0) },
    stop: { CurrentProcess.stopGroup() }
  )
}

extension ProcessFacts {
  /// Returns whether the process may not read from a terminal now: another process group is in the
  /// foreground, or the process is stopped. Every process may read from a terminal that is not its
  /// controlling terminal.
  package func isInBackground(at descriptor: Int32) -> Bool {
    var file = stat()
    let path = PathBase.directory(rawDirectory)
    // A process that has exited reads no input.
    guard fstat(descriptor, &file) == 0,
      let text = try? FileSystem.open("stat", in: path, .read).readSome()
    else { return true }
    return Self.isInBackground(text, at: UInt64(file.st_rdev))
  }

  /// Returns the same from the text of `/proc/PID/stat` and the device number of a terminal.
  fileprivate static func isInBackground(_ text: [UInt8], at device: UInt64) -> Bool {
    // The process chooses its name, but not the text after the name.
    guard let name = text.lastIndex(of: UInt8(ascii: ")")) else { return true }
    let words = text[(name + 1)...].split(separator: UInt8(ascii: " "))
    guard words.count > 5 else { return true }
    if words[0].elementsEqual("T".utf8) || words[0].elementsEqual("t".utf8) { return true }
    // A process that opens `/dev/tty` opens its controlling terminal, under a device number that all
    // terminals share.
    let isOwn = device == ownTerminal || number(words[4]).map(UInt64.init) == device
    return isOwn && words[5] != words[2]
  }

  /// The device number of `/dev/tty` (devices.txt).
  private static let ownTerminal: UInt64 = 5 << 8
}

/// Monitors whether a process is in the foreground of a terminal, for an observer that may not open files
/// (`/proc/PID/stat`).
package struct ForegroundWatch: ~Copyable {
  private let facts: Descriptor
  private let device: UInt64

  /// Starts monitoring a process at a terminal, or returns `nil` if there is no such process.
  package init?(_ process: Int32, at descriptor: Int32) {
    var file = stat()
    guard fstat(descriptor, &file) == 0,
      let opened = try? FileSystem.open("/proc/\(process)/stat", .read)
    else { return nil }
    facts = opened
    device = UInt64(file.st_rdev)
  }

  /// The current value of ``ProcessFacts/isInBackground(at:)``.
  package var isInBackground: Bool {
    // A process that has exited reads no input.
    guard let text = try? facts.bytes(at: 0, count: 4096) else { return true }
    return ProcessFacts.isInBackground(text, at: device)
  }
}
