// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PolicyTrials
internal import SandboxLaunch

extension HostileHost {
  /// Returns the values of the names in braces for a plan with all protections.
  func facts(_ plan: LaunchPlan, content: String) -> [String: String] {
    let own = [
      "secret": secret, "root": options.root, "content": content,
      "container": "\(FileSystem.directoryName(content))/container", "port": "\(port)",
      "abstract": abstractName, "socket": socketPath, "memory": "\(sharedMemory)", "shown": Self.shown,
    ]
    return AttemptArgument.facts(of: plan).merging(own) { _, own in own }
  }
}
