// SPDX-License-Identifier: Apache-2.0

internal import HostService
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation

/// The event output of a server. It never blocks on a slow reader: events that cannot be written are counted.
final class ServiceOutput {
  private let console: Console
  private let isJSON: Bool
  private var dropped: Int64 = 0

  /// Creates the output: events as JSON on standard output, or sentences on standard error.
  init(_ console: Console, asJSON isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  /// Writes an event, or counts it as dropped.
  func report(_ event: ServiceEvent) {
    guard isJSON || sentence(event) != nil else { return }
    // A writable pipe accepts at least a page (pipe(7)), and no event is longer.
    guard canWrite else {
      dropped += 1
      return
    }
    if dropped > 0 {
      if isJSON {
        console.printLine(["event": "dropped", "count": .integer(dropped)])
      } else {
        let messages = dropped == 1 ? "1 message was" : "\(dropped) messages were"
        console.note("darkroom: \(messages) dropped, because standard error was full")
      }
      dropped = 0
      if !canWrite { return }
    }
    if isJSON {
      console.printLine(event.json)
    } else if let sentence = sentence(event) {
      console.note("darkroom: \(TextTable.printable(sentence))")
    }
  }

  private var canWrite: Bool {
    let descriptor = isJSON ? console.output : console.error
    guard let found = try? Poller.wait([(descriptor, .writable)], until: 0) else { return false }
    return found[0].contains(.writable)
  }

  /// Returns the message for an event, or `nil` if the user need not know.
  private func sentence(_ event: ServiceEvent) -> String? {
    switch event {
    case .ready(let socket, let programs, let process):
      "PID \(process) serves commands at \(socket)\(programs.map { ", and programs at \($0)" } ?? "")"
    case .refused(let client, let refusal):
      "PID \(client) is not served: \(refusal.word)\(refusal.detail.map { " (\($0))" } ?? "")"
    case .brokerUnavailable(let reason):
      "the broker is unavailable (\(reason)): sessions are equally safe and start later; restart the server"
    case .stopping(let commands): "stopping; \(commands) commands are asked to exit"
    case .stopped: "stopped"
    case .accepted, .ended, .abandoned: nil
    }
  }
}
