// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Testing

/// Runs a shell command for which the package has no function. Fails with the output of the command unless it
/// succeeds.
package func runShell(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let (output, status) = try capture(command)
  try #require(status == 0, "\(command)\n\(output)", sourceLocation: sourceLocation)
}

/// Replaces a program with a copy that this process has never had open for writing.
///
/// A child process that another thread is launching shares the open files of this process until it calls
/// execve(2). A file that any process has open for writing cannot be executed (execve(2), `ETXTBSY`).
package func replaceWithCopy(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  try runShell(
    "cp -p '\(path)' '\(path).copy' && mv '\(path).copy' '\(path)'",
    sourceLocation: sourceLocation
  )
}

/// Runs a shell command, and returns its output and its wait status.
private func capture(_ command: String) throws -> (output: String, status: Int32) {
  // A file rather than a pipe, because a child that outlives the shell would keep the pipe open.
  var path = Array("/tmp/darkroom-shell-XXXXXX".utf8CString)
  let file = mkstemp(&path)
  try #require(file >= 0)
  defer {
    unlink(path)
    close(file)
  }
  // The newline separates the redirection from the command.
  let script = "exec >\"$0\" 2>&1 </dev/null\n\(command)"
  let words = [
    "/bin/sh", "-ec", script, String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self),
  ]
  let arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var attributes = try makeSpawnAttributes()
  defer { posix_spawnattr_destroy(&attributes) }
  var process = pid_t()
  try #require(posix_spawn(&process, words[0], nil, &attributes, arguments, environ) == 0)
  var status: Int32 = 0
  try #require(waitpid(process, &status, 0) == process)
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while case let count = read(file, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
  return (String(decoding: text, as: UTF8.self), status)
}

/// Returns attributes of a new process in which no signal is blocked. The caller destroys them.
///
/// Threads of Dispatch block most signals. A shell that inherits this mask waits forever for a child, because
/// it does not receive SIGCHLD.
func makeSpawnAttributes() throws -> posix_spawnattr_t {
  var attributes = posix_spawnattr_t()
  try #require(posix_spawnattr_init(&attributes) == 0)
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  return attributes
}
