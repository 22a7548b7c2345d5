// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals

/// Proposes the paths that a user shows to a session so that a program finds its files.
struct ShowingAdvice {
  /// The state root, or `nil` if it is unknown.
  let stateRoot: String?

  /// Returns the path to show so that a file of the host is found: `/usr`, the directory of an installation, the directory of
  /// the file, or the file alone. Returns `nil` if none of them may be shown.
  func path(for file: String) -> String? {
    // One file of the system needs others of it, as a loader needs the C library.
    if (try? FileSystem.realPath(file))?.hasPrefix("/usr/") == true, canShow("/usr") { return "/usr" }
    let directory = FileSystem.directoryName(file)
    let installation = FileSystem.directoryName(directory)
    let hasLibraries = ["lib", "lib64"].contains { name in
      name != FileSystem.lastComponent(directory) && HostFile.look(at: "\(installation)/\(name)") != .absent
    }
    let isInstallation =
      ["bin", "sbin", "libexec"].contains(FileSystem.lastComponent(directory)) && hasLibraries
    return ((isInstallation ? [installation] : []) + [directory, file]).first(where: canShow)
  }

  /// Whether a user may show a path.
  func canShow(_ path: String) -> Bool {
    do throws(PlanError) {
      try LaunchPlanner.refuseOwnPlace(path)
      guard let stateRoot else { return true }
      let state = (try? FileSystem.realPath(stateRoot)) ?? stateRoot
      try LaunchPlanner.refuse(path, (try? FileSystem.realPath(path)) ?? path, in: state)
      return true
    } catch { return false }
  }

  /// Returns the error for a program whose symbolic link leads out of the paths that a session is shown.
  func failure(_ program: String, _ link: PathWalk.Link) -> PlanError {
    .program(
      .linkOut(program: program, link: link.path, target: link.target, show: path(for: link.absoluteTarget))
    )
  }
}

extension PathWalk.Link {
  /// The path that the link leads to, as `--read-only` takes it: absolute, without empty names, `.` and `..`.
  var absoluteTarget: String {
    var names = target.split(separator: "/")[...]
    var directory = ""
    if !target.hasPrefix("/") {
      directory = FileSystem.directoryName(path)
      while names.first == ".." {
        directory = FileSystem.directoryName(directory)
        names.removeFirst()
      }
    }
    names.removeAll { $0 == "." }
    // Behind a name, `..` has the meaning that the host gives it.
    if names.isEmpty || names.contains("..") { return (try? FileSystem.realPath(path)) ?? path }
    return ([directory == "/" ? "" : directory] + names.map(String.init)).joined(separator: "/")
  }
}
