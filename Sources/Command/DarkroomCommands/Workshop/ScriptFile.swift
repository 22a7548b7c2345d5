// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionSimulation

/// The reading of scripts from files, and the report on their results.
enum ScriptFile {
  /// The maximum size of a script, in bytes.
  private static let limit = 1 << 20

  /// Reads a script. All lines with errors are reported in one failure.
  static func read(_ path: String) throws(CommandFailure) -> SessionScript {
    let text: [UInt8]?
    do { text = try FileSystem.contents(path, limit: limit) } catch {
      throw CommandFailure(.missing, "the script cannot be read: \(error)")
    }
    guard let text else {
      throw CommandFailure(.data, "\(path) exceeds the maximum size of \(limit) bytes")
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

  /// Reads a script for a session with a real environment. Lines that require a simulated environment are
  /// rejected.
  static func readForSession(_ path: String) throws(CommandFailure) -> SessionScript {
    let script = try read(path)
    guard let place = script.firstSimulatedLine else { return script }
    throw CommandFailure(
      .data,
      TextTable.printable("\(ScriptError(place: place, reason: .requiresSimulation))")
    )
  }

  /// Prints the lines of a script that failed. Returns the exit code of the session, or a failure code if
  /// only the script failed.
  static func conclude(
    _ control: any SessionControl,
    _ report: SessionReport,
    _ path: String?,
    _ code: Int32,
    _ console: Console
  ) -> Int32 {
    guard let played = control as? ScriptedControl else { return code }
    // A script that only presses buttons has no expectations.
    guard played.wantsSnapshots else { return code }
    let missed = played.findings(report.record).filter { !$0.holds }
    for finding in missed {
      console.note(
        "darkroom: \(TextTable.printable("\(path ?? "script"):\(finding.line): \(finding.sentence)"))"
      )
    }
    return missed.isEmpty || code != 0 ? code : ExitCode.checkFailed.rawValue
  }
}

extension ScriptResult {
  /// The message about a line of the script.
  var sentence: String {
    switch verdict {
    case .passed: "\(text): passed"
    case .failed(let seen): "\(text): failed: \(seen)"
    case .notReached(let reason): "\(text): not reached: \(reason)"
    }
  }
}
