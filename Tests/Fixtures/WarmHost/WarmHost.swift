// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Prewarming
internal import SessionStore

/// A long-running host with prewarmed extensions.
///
/// `darkroom-warm-host ROOT EXTENSION [NAME=NUMBER…]` reads one command per line and answers each with a line
/// of JSON; ``PrewarmCommandHandler`` documents the commands. The numbers are those of ``PrewarmPool/Limits``.
@main struct WarmHost {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count >= 3 else { throw UsageError() }
    SignalDescriptor.reportFailedWrites()
    var limits = PrewarmPool.Limits()
    limits.pause = 0
    for word in words.dropFirst(3) {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let number = Double(parts[1]) else { throw UsageError() }
      switch parts[0] {
      case "all": limits.all = Int(number)
      case "each": limits.each = Int(number)
      case "pause": limits.pause = number
      case "lifetime": limits.lifetime = number
      default: throw UsageError()
      }
    }
    let host = try PrewarmCommandHandler(StateRoot(path: words[1]), words[2], limits)
    while let line = readLine() {
      let answer: JSONValue
      do { answer = try host.execute(line.split(separator: " ").map(String.init)) } catch {
        answer = ["error": .string("\(error)")]
      }
      try Descriptor.write(answer.bytes() + [UInt8(ascii: "\n")], toNumber: 1)
    }
    host.pool.close()
  }

  private struct UsageError: Error {}
}
