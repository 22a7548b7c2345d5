// SPDX-License-Identifier: Apache-2.0

extension SandboxLauncher {
  /// Creates the permanent threads of the process now. A thread inherits the current directory and processors
  /// of its creator, which may be those of a client in a server.
  package static func makeThreads() { SessionCleanup.start() }
}
