// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxPolicy

/// Finds the program that a person named, and decides how the sandbox shows it.
package enum ProgramFinder {
  /// Where a name without a slash is looked for; the extension's own `PATH` is the same.
  private static let directories = ["/usr/local/bin", "/usr/bin", "/bin"]

  /// A program by path, or by a name that is looked up.
  package static func find(
    _ name: String,
    policy: ResolvedPolicy
  ) throws(PlanError) -> LaunchSubject.Program {
    let path = try locate(name)
    let real: String
    let status: FileStatus
    do {
      real = try FileSystem.realPath(path)
      status = try FileSystem.open(real, .path).status()
    } catch { throw .path(error) }
    guard status.kind == .regular, status.permissions & 0o111 != 0 else { throw .notExecutable(path) }
    let isShown = policy.readOnly.contains { real == $0.path || real.hasPrefix($0.path + "/") }
    // What the policy shows runs where it lies: its libraries and modules are found from there.
    return isShown ? .shown(path.hasPrefix("/usr/") ? path : real) : .file(real)
  }

  private static func locate(_ name: String) throws(PlanError) -> String {
    if name.contains("/") {
      guard (try? FileSystem.realPath(name)) != nil else { throw .noProgram(name) }
      return name
    }
    for directory in directories {
      let path = "\(directory)/\(name)"
      if let real = try? FileSystem.realPath(path), (try? FileSystem.status(real)) != nil { return path }
    }
    throw .noProgram(name)
  }
}
