// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxEnforcement

/// bubblewrap with an isolation similar to Darkroom's: all namespaces, a read-only root, no capabilities, the
/// same filter. It has no Landlock and sets no limits.
enum Bubblewrap {
  /// The number of the filter's descriptor in bwrap.
  private static let filterNumber: Int32 = 10

  /// Returns the launcher, or `nil` if bwrap is not installed.
  static func launcher(_ setup: BenchmarkSetup) throws -> Launcher? {
    guard let program = PeerProgram.find("bwrap") else { return nil }
    let filter = "\(setup.directory)/filter.bpf"
    let policy = try PolicyFinder.find("capture").policy
    try FileSystem.replaceContents(filter, with: try SeccompCompiler.compile(policy).instructions)
    let words = [program] + options(setup)
    let quiet = setup.null.rawValue
    return Launcher("bwrap", directory: "/session") { payload, arguments, input, output in
      // bwrap reads to the end of the file, so each launch needs its own file offset.
      let opened = try FileSystem.open(filter, .read)
      return try SpawnedProgram.start(
        words + ["/extension/\(payload.file)"] + arguments,
        descriptors: [0: input, 1: output, 2: quiet, filterNumber: opened.rawValue]
      )
    }
  }

  private static func options(_ setup: BenchmarkSetup) -> [String] {
    [
      "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "1000", "--gid",
      "1000", "--unshare-user", "--hostname", "darkroom", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin",
      "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--ro-bind", setup.bundle,
      "/extension", "--bind", setup.unmappedContent, "/session", "--tmpfs", "/container", "--proc", "/proc",
      "--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/", "--chdir", "/session", "--seccomp",
      "\(filterNumber)",
    ]
  }
}
