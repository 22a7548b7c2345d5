// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals

/// Proposes paths to show to a session so that a program finds its files.
struct ReadOnlyPathAdvisor {
  /// The state root, or `nil` if it is unknown.
  let stateRoot: String?

  /// Returns the path to show so that a host file becomes visible: `/usr`, an installation directory, the
  /// directory of the file, or only the file. Returns `nil` if none of them may be shown.
  func path(for file: String) -> String? {
    // System files need other system files; for example, a loader needs the C library.
    if (try? FileSystem.realPath(file))?.hasPrefix("/usr/") == true, canShow("/usr") { return "/usr" }
    let directory = FileSystem.directoryName(file)
    let installation = FileSystem.directoryName(directory)
    let hasLibraries = ["lib", "lib64"].contains { name in
      name != FileSystem.lastComponent(directory)
        && HostFile.inspect(at: "\(installation)/\(name)") != .absent
    }
    let isInstallation =
      ["bin", "sbin", "libexec"].contains(FileSystem.lastComponent(directory)) && hasLibraries
    return ((isInstallation ? [installation] : []) + [directory, file]).first(where: canShow)
  }

  /// Returns whether a user may show a path.
  func canShow(_ path: String) -> Bool {
    do throws(PlanError) {
      try LaunchPlanner.refuseReservedPath(path)
      guard let stateRoot else { return true }
      let state = (try? FileSystem.realPath(stateRoot)) ?? stateRoot
      try LaunchPlanner.refuse(path, (try? FileSystem.realPath(path)) ?? path, in: state)
      return true
    } catch { return false }
  }

  /// Returns the error for a program with a symbolic link to a file that the session is not shown.
  func failure(_ program: String, _ link: PathWalk.Link) -> PlanError {
    .program(
      .danglingLink(
        program: program,
        link: link.path,
        target: link.target,
        show: path(for: link.absoluteTarget)
      )
    )
  }
}

extension PathWalk.Link {
  /// The target of the link as `--read-only` accepts it: an absolute path without empty components, `.` and
  /// `..`.
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
    // After a name, only the host can resolve `..`.
    if names.isEmpty || names.contains("..") { return (try? FileSystem.realPath(path)) ?? path }
    return ([directory == "/" ? "" : directory] + names.map(String.init)).joined(separator: "/")
  }
}
