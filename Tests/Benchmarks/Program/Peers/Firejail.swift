// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import LaunchPlanning
import LinuxPrimitives
import PolicyInterchange
import SandboxPolicy

/// firejail, which keeps the host's root read-only and takes an allow-list of calls without arguments.
enum Firejail {
  /// Returns the launcher, or `nil` if firejail is not installed.
  static func launcher(_ setup: BenchmarkSetup) throws -> Launcher? {
    guard let program = PeerProgram.find("firejail") else { return nil }
    // firejail exits at an unknown name.
    let known = try SpawnedProgram.output([program, "--debug-syscalls"]) ?? ""
    let names = Set(
      known.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    )
    let kept = AllowedCalls.names(of: try PolicyFinder.find("capture").policy).filter(names.contains)
    let words = [
      program, "--quiet", "--noprofile", "--net=none", "--ipc-namespace", "--caps.drop=all", "--nonewprivs",
      "--private-dev", "--read-only=/", "--read-write=\(setup.unmappedContent)",
      "--seccomp.keep=\(kept.joined(separator: ","))", "--",
    ]
    let bundle = setup.bundle
    // firejail starts programs with a shell, which would read the user's startup files.
    let environment = ["HOME=/", "PATH=/usr/bin:/bin"]
    let quiet = setup.null.rawValue
    return Launcher("firejail", directory: setup.unmappedContent, killEffect: .leavesProgram) {
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

/// The calls that a policy allows with any or some arguments.
enum AllowedCalls {
  /// Returns the names, unique and sorted.
  static func names(of policy: ResolvedPolicy) -> [String] {
    let allowed = CallProfile(policy).rules.filter { $0.action.executesCall }.flatMap(\.calls)
    return Set(allowed.map { "\($0)" }).sorted()
  }
}
