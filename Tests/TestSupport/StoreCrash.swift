// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import Testing

/// Has a program work in a state root (`darkroom-store-worker ROOT crash`), which dies in the middle of it.
///
/// Not as an exit test: those keep a thread in this process that does not rest while a child waits to be reaped, which is
/// always so in a run of all tests, and takes a tenth of the processors for it.
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
