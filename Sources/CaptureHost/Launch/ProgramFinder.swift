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
    let (path, real) = try locate(name)
    let status: FileStatus
    do { status = try FileSystem.open(real, .path).status() } catch { throw .path(error) }
    guard status.kind == .regular, status.permissions & 0o111 != 0 else { throw .notExecutable(path) }
    let isShown = policy.readOnly.contains { real == $0.path || real.hasPrefix($0.path + "/") }
    // What the policy shows runs where it lies: its libraries and modules are found from there.
    return isShown ? .shown(path.hasPrefix("/usr/") ? path : real) : .file(real)
  }

  /// The path that was meant, and its true name.
  private static func locate(_ name: String) throws(PlanError) -> (path: String, real: String) {
    if name.contains("/") {
      guard let real = try? FileSystem.realPath(name) else { throw .noProgram(name) }
      return (name, real)
    }
    // Else it would be the first of the directories.
    guard !name.isEmpty else { throw .noProgram(name) }
    for directory in directories {
      let path = "\(directory)/\(name)"
      if let real = try? FileSystem.realPath(path) { return (path, real) }
    }
    throw .noProgram(name)
  }
}
