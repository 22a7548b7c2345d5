// SPDX-License-Identifier: Apache-2.0

extension SandboxLauncher {
  /// Makes the threads now that stay as long as the process does. A thread has the current directory, where threads have
  /// their own, and the processors of the one that makes it, which in a host with clients are a client's.
  package static func makeThreads() { SessionRelease.begin() }
}
