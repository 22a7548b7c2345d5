// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Queries the capabilities of a terminal.
package enum TerminalQuery {
  /// The time limit for the reply in nanoseconds, about twice the round-trip time of an intercontinental
  /// connection.
  private static let replyTimeout: UInt64 = 600_000_000
  /// The maximum number of bytes that are read.
  private static let maximumBytes = 4096

  /// The result of a query.
  package struct Outcome: Sendable {
    /// The reply, or `nil` if it is incomplete. The rest may arrive at any time.
    package var answer: TerminalResponse?
    /// A key filter that drops the rest of the reply.
    package var keys = TerminalKeyFilter()
  }

  /// Queries a terminal, or returns `nil` if that is impossible. Keys that are pressed meanwhile are lost.
  /// `terminal` must be open for reading and writing.
  package static func ask(_ terminal: Int32, askingKitty: Bool) -> Outcome? {
    guard !CurrentProcess.isInBackground(terminal), let mode = try? TerminalMode.cbreak(terminal) else {
      return nil
    }
    let question = Array(TerminalResponse.question(askingKitty: askingKitty).utf8)
    let end = MonotonicClock.now + replyTimeout
    guard let room = try? Poller.wait([(terminal, .writable)], until: end), room[0].contains(.writable),
      (try? Descriptor.write(question, toNumber: terminal)) != nil
    else { return nil }
    var outcome = Outcome()
    var bytes: [UInt8] = []
    while bytes.count < maximumBytes, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(mode.number, .readable)], until: end), !found[0].isEmpty,
        let more = try? mode.read(), !more.isEmpty
      else { break }
      bytes += more
      _ = outcome.keys.keys(more)
      let answer = TerminalResponse(bytes)
      if answer.isComplete {
        outcome.answer = answer
        break
      }
    }
    return outcome
  }
}
