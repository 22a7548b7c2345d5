// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Glibc
import LinuxPrimitives
import SandboxEnforcement

/// The best known peer, with an isolation as near to Darkroom's as it has: all namespaces, a read-only root, no
/// capabilities, the same filter. It has no Landlock and sets no limits.
final class Bubblewrap {
  private static let path = "/usr/bin/bwrap"
  /// Where the filter's descriptor is inside.
  private static let filterNumber: Int32 = 10

  private let filter: Descriptor
  private let setting: Setting

  /// Nil where it is not installed.
  init?(_ setting: Setting) throws {
    guard access(Self.path, X_OK) == 0 else { return nil }
    self.setting = setting
    let policy = try PolicyFinder.find("capture").policy
    let program = try SeccompCompiler.compile(policy).instructions
    filter = try MemoryFile.makeSealed(name: "filter", bytes: program)
  }

  /// Launches a program that stands at this path inside.
  func start(_ words: [String], output: Int32, input: Int32) throws -> SpawnedProgram {
    // It reads to the end, and the offset is shared.
    try filter.rewind()
    return try SpawnedProgram.start(
      [Self.path] + Self.options(setting) + words,
      descriptors: [0: input, 1: output, Self.filterNumber: filter.rawValue]
    )
  }

  private static func options(_ setting: Setting) -> [String] {
    [
      "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "1000", "--gid",
      "1000",
      "--unshare-user", "--hostname", "darkroom", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin",
      "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--ro-bind", setting.payload,
      "/extension/payload", "--bind", setting.ownContent, "/session", "--tmpfs", "/container", "--proc",
      "/proc",
      "--dev-bind", "/dev/null", "/dev/null", "--chdir", "/session", "--seccomp", "\(filterNumber)",
    ]
  }
}
