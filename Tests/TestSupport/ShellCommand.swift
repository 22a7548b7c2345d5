// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Testing

/// Runs a shell command, for what no function of the package does; fails with what it printed unless it succeeds.
package func runShell(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let (output, status) = try capture(command)
  try #require(status == 0, "\(command)\n\(output)", sourceLocation: sourceLocation)
}

/// Replaces a program by a copy that this process has never had open for writing.
///
/// A process that another thread is just launching shares the open files of this one until it executes its program, and
/// what anybody has open for writing cannot be executed (execve(2), `ETXTBSY`).
package func copyApart(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  try runShell(
    "cp -p '\(path)' '\(path).copy' && mv '\(path).copy' '\(path)'",
    sourceLocation: sourceLocation
  )
}

/// Runs a shell command, and gives all that it printed and its wait status.
private func capture(_ command: String) throws -> (output: String, status: Int32) {
  // A file and not a pipe, which a child that outlives the shell would keep open.
  var path = Array("/tmp/darkroom-shell-XXXXXX".utf8CString)
  let file = mkstemp(&path)
  try #require(file >= 0)
  defer {
    unlink(path)
    close(file)
  }
  // A command of its own, and not the end of this one's last line.
  let script = "exec >\"$0\" 2>&1 </dev/null\n\(command)"
  let words = [
    "/bin/sh", "-ec", script, String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self),
  ]
  let arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  // A thread of Dispatch has most signals blocked, and a shell that inherits that waits for a child whose end it never
  // hears of.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  var process = pid_t()
  try #require(posix_spawn(&process, words[0], nil, &attributes, arguments, environ) == 0)
  var status: Int32 = 0
  try #require(waitpid(process, &status, 0) == process)
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while case let count = read(file, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
  return (String(decoding: text, as: UTF8.self), status)
}
