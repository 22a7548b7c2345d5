// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Asks a terminal what it can show.
package enum TerminalQuery {
  /// How long the answer may take, in nanoseconds: a connection around the world takes half of it.
  private static let patience: UInt64 = 600_000_000
  /// The most that is read.
  private static let mostBytes = 4096

  /// What came of a question.
  package struct Outcome: Sendable {
    /// What the terminal has said; nil: not all in time, and the rest may come at any time.
    package var answer: TerminalAnswer?
    /// How to tell keys from what still comes of the answer.
    package var keys = TerminalKeys()
  }

  /// Asks the terminal that is open under a number, to read and to write; nil: it could not be asked. Keys that are
  /// pressed meanwhile are lost.
  package static func ask(_ terminal: Int32, askingKitty: Bool) -> Outcome? {
    guard !CurrentProcess.isBehind(terminal), let mode = try? TerminalMode.keys(terminal) else { return nil }
    let question = Array(TerminalAnswer.question(askingKitty: askingKitty).utf8)
    let end = MonotonicClock.now + patience
    guard let room = try? Poller.wait([(terminal, .writable)], until: end), room[0].contains(.writable),
      (try? Descriptor.write(question, toNumber: terminal)) != nil
    else { return nil }
    var outcome = Outcome()
    var bytes: [UInt8] = []
    while bytes.count < mostBytes, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(mode.number, .readable)], until: end), !found[0].isEmpty,
        let more = try? mode.read(), !more.isEmpty
      else { break }
      bytes += more
      _ = outcome.keys.keys(more)
      let answer = TerminalAnswer(bytes)
      if answer.isWhole {
        outcome.answer = answer
        break
      }
    }
    return outcome
  }
}
