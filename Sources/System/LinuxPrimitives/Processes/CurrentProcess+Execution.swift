// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Replaces the program of this process (execv(3)). The process keeps its environment, its ID and its standard
  /// descriptors.
  ///
  /// Call it only while there is a single thread. `arguments` do not include the name of the program.
  ///
  /// - Throws: The reason why the program was not started.
  package static func execute(_ path: String, _ arguments: [String]) throws(SystemCallError) -> Never {
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    execv(path, words)
    throw SystemCallError("execve", path: path)
  }
}
