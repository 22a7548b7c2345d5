// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// unshare(1) with all namespaces and nothing else. Its program sees the host's files.
enum Unshare {
  /// Returns the launcher, or `nil` if unshare is not installed.
  static func launcher(_ setup: BenchmarkSetup) -> Launcher? {
    guard let program = PeerProgram.find("unshare") else { return nil }
    let words = [
      program, "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child", "--net", "--ipc",
      "--uts", "--cgroup", "--mount-proc",
    ]
    let bundle = setup.bundle
    let quiet = setup.null.rawValue
    return Launcher("unshare", directory: setup.unmappedContent) { payload, arguments, input, output in
      try SpawnedProgram.start(
        words + ["\(bundle)/\(payload.file)"] + arguments,
        descriptors: [0: input, 1: output, 2: quiet]
      )
    }
  }
}
