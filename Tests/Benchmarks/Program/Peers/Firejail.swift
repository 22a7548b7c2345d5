// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import LaunchPlanning
import LinuxPrimitives
import PolicyInterchange
import SandboxPolicy

/// A peer that keeps the host's root, read-only, and takes an allow-list of calls without their arguments.
enum Firejail {
  /// Nil where it is not installed.
  static func launcher(_ setting: Setting) throws -> Launcher? {
    guard let program = PeerProgram.find("firejail") else { return nil }
    // A name that it does not know ends it.
    let known = try SpawnedProgram.output([program, "--debug-syscalls"]) ?? ""
    let names = Set(
      known.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    )
    let kept = AllowedCalls.names(of: try PolicyFinder.find("capture").policy).filter(names.contains)
    let words = [
      program, "--quiet", "--noprofile", "--net=none", "--ipc-namespace", "--caps.drop=all", "--nonewprivs",
      "--private-dev", "--read-only=/", "--read-write=\(setting.ownContent)",
      "--seccomp.keep=\(kept.joined(separator: ","))", "--",
    ]
    let bundle = setting.bundle
    // It starts programs by a shell, which would read what its owner has set up.
    let environment = ["HOME=/", "PATH=/usr/bin:/bin"]
    let quiet = setting.null.rawValue
    return Launcher("firejail", directory: setting.ownContent, bond: .outlives) {
      payload,
      arguments,
      input,
      output in
      try SpawnedProgram.start(
        words + ["\(bundle)/\(payload.file)"] + arguments,
        environment: environment,
        descriptors: [0: input, 1: output, 2: quiet]
      )
    }
  }
}

/// The calls that a policy allows, whatever their arguments are.
enum AllowedCalls {
  /// Their names, each once, in order.
  static func names(of policy: ResolvedPolicy) -> [String] {
    let allowed = CallProfile(policy).rules.filter { $0.action.isMade }.flatMap(\.calls)
    return Set(allowed.map { "\($0)" }).sorted()
  }
}
