// SPDX-License-Identifier: Apache-2.0

/// How a person attaches a debugger to an extension that waits for one.
package enum DebuggerGuide {
  /// What to tell, line by line. `process` is the extension as the host sees it.
  package static func lines(_ news: DebuggerNews, _ process: Int32) -> [String] {
    switch news {
    case .waiting:
      // The names of files in the sandbox mean something only below its root. The host sends SIGCONT to lift the stop as
      // soon as a debugger has attached, which need not stop the debugger.
      [
        "process \(process) waits for a debugger, before its first instruction; attach in another terminal:",
        "  gdb -iex 'set sysroot /proc/\(process)/root' -ex 'handle SIGCONT nostop noprint' -p \(process)",
        "  lldb -p \(process) -o 'process handle SIGCONT --stop false --notify false'",
        "then set breakpoints and continue; no deadline runs meanwhile, and Ctrl-C here ends the session",
      ]
    case .attached(let tracer):
      ["process \(tracer) debugs the extension; no deadline runs as long as it is attached"]
    case .left: ["nobody debugs the extension any more; the deadlines begin anew"]
    case .holds(let tracer):
      ["the session is ended, and handed over as soon as the debugger, process \(tracer), has let go of it"]
    }
  }
}
