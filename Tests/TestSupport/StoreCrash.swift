// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import Testing

/// Runs `darkroom-store-worker ROOT crash`, which works in a state root and kills itself at a step.
///
/// An exit test would keep a thread busy while a child waits to be reaped. This is always the case in a run
/// of all tests, and costs a tenth of the processor time.
package func crash(
  _ operation: String,
  of directory: String,
  at step: String,
  in root: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let worker = "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-store-worker"
  try runShell(
    "s=0; '\(worker)' '\(root)' crash \(operation) '\(directory)' \(step) || s=$?; test $s -eq 137",
    sourceLocation: sourceLocation
  )
}
