// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// Runs a shell command, for files that no function of the package makes; fails unless it succeeds.
func makeSpecial(_ command: String) throws {
  var process = pid_t()
  let words = ["/bin/sh", "-ec", command]
  let arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  try #require(posix_spawn(&process, words[0], nil, nil, arguments, nil) == 0)
  var status: Int32 = 0
  try #require(waitpid(process, &status, 0) == process)
  try #require(status == 0, "\(command)")
}
