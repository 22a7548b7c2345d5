// SPDX-License-Identifier: Apache-2.0

extension ProcessFacts {
  /// The stop state and tracer of a process.
  package struct Tracing: Sendable, Hashable {
    /// Whether the main thread is stopped by a signal and not traced.
    package var isStopped: Bool
    /// The process that traces a thread of the process, or `nil` if no thread is traced.
    package var tracer: Int32?
  }

  /// The stop state and tracer (`/proc/PID/status`), or `nil` if the process has exited.
  package var tracing: Tracing? {
    guard let first = status(of: "status") else { return nil }
    var tracer = first.tracer
    // A debugger can attach to any thread.
    if tracer == nil {
      for thread in threads where tracer == nil { tracer = status(of: "task/\(thread)/status")?.tracer }
    }
    return Tracing(isStopped: first.state == UInt8(ascii: "T") && first.tracer == nil, tracer: tracer)
  }

  /// Returns the state and tracer of one thread. The process chooses its name, which is in the same text. The
  /// kernel writes the name first and escapes newlines in it, so the process cannot forge another line.
  private func status(of file: String) -> (state: UInt8, tracer: Int32?)? {
    let raw = rawDirectory
    guard let text = try? FileSystem.open(file, in: .directory(raw), .read).readSome() else { return nil }
    var state: UInt8?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
      guard words.count >= 2 else { continue }
      switch String(decoding: words[0], as: UTF8.self) {
      case "State:": state = words[1].first
      case "TracerPid:":
        guard let state, let number = Self.number(words[1]) else { return nil }
        return (state, number == 0 ? nil : Int32(clamping: number))
      default: break
      }
    }
    return nil
  }
}
