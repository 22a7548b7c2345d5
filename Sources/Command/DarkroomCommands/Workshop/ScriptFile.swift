// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import PolicyWords
internal import SessionSimulation

/// Reads scripts from files.
enum ScriptFile {
  /// The most bytes of a script.
  private static let limit = 1 << 20

  /// Reads a script; every line that cannot be read is named, in one failure.
  static func read(_ path: String) throws(CommandFailure) -> SessionScript {
    let text: [UInt8]?
    do { text = try FileSystem.contents(path, limit: limit) } catch {
      throw CommandFailure(.missing, "the script cannot be read: \(error)")
    }
    guard let text else {
      throw CommandFailure(.data, "\(path) is larger than a megabyte, which is no script")
    }
    let (script, mistakes) = SessionScript.read(String(decoding: text, as: UTF8.self), name: path)
    guard mistakes.isEmpty else {
      throw CommandFailure(
        .data,
        mistakes.map { TextTable.printable("\($0)") }.joined(separator: "\ndarkroom: ")
      )
    }
    return script
  }

  /// Reads a script that is played in a session whose surroundings are real.
  static func readForSession(_ path: String) throws(CommandFailure) -> SessionScript {
    let script = try read(path)
    guard let place = script.firstMadeUp else { return script }
    throw CommandFailure(.data, TextTable.printable("\(ScriptError(place: place, reason: .madeUp))"))
  }

  /// Says which lines of a script did not hold, and gives the exit code: that of the session, unless it alone would say
  /// that all was well.
  static func conclude(
    _ control: any SessionControl,
    _ report: SessionReport,
    _ path: String?,
    _ code: Int32,
    _ console: Console
  ) -> Int32 {
    guard let played = control as? ScriptedControl else { return code }
    // Whoever only presses buttons has expected nothing.
    guard played.isWatching else { return code }
    let missed = played.findings(report.record).filter { !$0.holds }
    for finding in missed {
      console.note(
        "darkroom: \(TextTable.printable("\(path ?? "script"):\(finding.line): \(finding.sentence)"))"
      )
    }
    return missed.isEmpty || code != 0 ? code : ExitCode.otherwise.rawValue
  }
}

extension ScriptFinding {
  /// What is said of a line that did not hold.
  var sentence: String {
    switch verdict {
    case .held: "\(text): so it was"
    case .failed(let seen): "\(text): it was not so: \(seen)"
    case .notReached(let reason): "\(text): not reached: \(reason)"
    }
  }
}
