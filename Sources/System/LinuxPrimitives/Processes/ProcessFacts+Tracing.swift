// SPDX-License-Identifier: Apache-2.0

extension ProcessFacts {
  /// Whether a process is stopped, and who traces it.
  package struct Tracing: Sendable, Hashable {
    /// Whether its first thread is stopped as by `SIGSTOP`, with nobody tracing that thread.
    package var isStopped: Bool
    /// The process that traces one of its threads; nil: nobody does.
    package var tracer: Int32?
  }

  /// Whether it is stopped, and who traces it (`/proc/PID/status`); nil if it has ended.
  package var tracing: Tracing? {
    guard let first = status(of: "status") else { return nil }
    var tracer = first.tracer
    // A debugger can attach to any thread.
    if tracer == nil {
      for thread in threads where tracer == nil { tracer = status(of: "task/\(thread)/status")?.tracer }
    }
    return Tracing(isStopped: first.state == UInt8(ascii: "T") && first.tracer == nil, tracer: tracer)
  }

  /// State and tracer of one thread. The name of the thread stands there, too, and the process chooses it; but the kernel
  /// writes it first and escapes the end of a line in it, so that no other line can be the process's.
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
