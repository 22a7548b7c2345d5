// SPDX-License-Identifier: Apache-2.0

/// The instructions for attaching a debugger to an extension.
package enum DebuggerInstructions {
  /// Returns the lines to print for an event.
  ///
  /// `process` is the process ID of the extension in the PID namespace of the host.
  package static func lines(_ event: DebuggerEvent, _ process: Int32) -> [String] {
    let entry = "/proc/\(process)"
    return switch event {
    case .waiting:
      // Paths of the sandbox are valid only relative to its root, and gdb 16 does not find the program itself.
      // The host sends SIGCONT as soon as a debugger has attached; the debugger must not stop on that signal.
      [
        "process \(process) waits for a debugger before its first instruction; attach with one of these commands:",
        "  gdb -iex 'set sysroot \(entry)/root' -ex 'handle SIGCONT nostop noprint' \(entry)/exe \(process)",
        "  lldb -p \(process) -o 'process handle SIGCONT --stop false --notify false'",
        "then set breakpoints and continue; deadlines are suspended while the debugger is attached",
      ]
    case .attached(let tracer):
      ["debugger attached (process \(tracer)); deadlines are suspended until it detaches"]
    case .detached: ["debugger detached; the deadlines start again"]
    case .holdsExitedProcess(let tracer):
      ["the session has ended; its content is migrated when the debugger (process \(tracer)) detaches"]
    }
  }
}
