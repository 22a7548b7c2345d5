// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy

/// Checks whether the processes of a session may read and execute the files in their root.
///
/// A root host assigns each session a UID and GID that own no files. So only the mode bits for others matter,
/// even for files with an access control list: no entry names these IDs, and the entry for others equals the
/// mode bits (acl(5)). For other identities, the kernel is queried, because the processes run with the host's
/// UID. The parent directories of shown paths do not matter, because the sandbox creates its own.
package struct ShownPathAccess {
  /// The maximum number of files that are inspected below a shown directory.
  private static let maximumFiles = 1024

  private let identity: LaunchPlan.Identity

  /// Creates a checker for sessions with this identity.
  package init(_ identity: LaunchPlan.Identity) { self.identity = identity }

  /// Whether the processes run with a UID that owns no files.
  private var hasSessionUID: Bool { if case .other = identity { true } else { false } }

  /// Checks that the session's processes can execute their program.
  ///
  /// - Throws: An error with the fix if they cannot.
  package func check(_ subject: LaunchTarget) throws(PlanError) {
    let program = subject.program.hostPath
    guard hasSessionUID else {
      if let denial = denialByKernel(program, .execute) { throw .unreachable(program: program, denial) }
      return
    }
    guard let real = try? FileSystem.realPath(program),
      let directory = try? FileSystem.realPath(FileSystem.directoryName(program))
    else { return }
    // The program can be a symbolic link, as in a Python virtual environment. Both the directories of the
    // link and those of its target matter.
    let directoryLists = [directory + "/" + FileSystem.lastComponent(program), real].map { path in
      Self.directories(to: path, below: Self.shownPath(of: subject.program, path, subject))
    }
    for path in directoryLists.joined() + [real] {
      if let denial = denialByMode(path, .execute) { throw .unreachable(program: program, denial) }
    }
  }

  /// Returns a sentence for each shown path that the session's processes cannot read completely.
  package func notices(_ subject: LaunchTarget) -> [String] {
    subject.policy.readOnly.compactMap { denial($0.path) }.map(\.description)
      + subject.readOnly.compactMap(notice)
  }

  private func notice(_ path: String) -> String? {
    if let denial = denial(path) { return "\(denial)" }
    // The user of the host cannot read these files either and expects the session to fail on them.
    guard hasSessionUID else { return nil }
    let closed = unreadableFiles(below: path)
    guard let first = closed.first else { return nil }
    return closed.count == 1 ? "\(first)" : "\(first) (and \(closed.count - 1) more in \(path))"
  }

  private func denial(_ path: String) -> ShownPathDenial? {
    hasSessionUID ? denialByMode(path, .read) : denialByKernel(path, .read)
  }

  /// Returns a denial by the mode of a file, or `nil` if the mode grants the right to others. A directory
  /// also needs the search right.
  private func denialByMode(_ path: String, _ right: FileSystem.AccessRights) -> ShownPathDenial? {
    guard let status = status(of: path) else { return nil }
    let denial = ShownPathDenial(path, status, right, hasSessionUID: true)
    return Int32(status.permissions & 0o7) & denial.rights.rawValue == denial.rights.rawValue ? nil : denial
  }

  /// Returns a denial by the kernel for this process, or `nil` if the kernel grants the right.
  private func denialByKernel(_ path: String, _ right: FileSystem.AccessRights) -> ShownPathDenial? {
    do {
      try FileSystem.checkAccess(path, right)
      return nil
    } catch {
      guard error.errno == .permissionDenied, let status = status(of: path) else {
        return nil
      }
      return ShownPathDenial(path, status, right, hasSessionUID: false)
    }
  }

  /// Returns the status of the file at a path, following symbolic links. Nothing is opened, because the
  /// launch opens each of these paths only once.
  private func status(of path: String) -> FileStatus? {
    let found = (try? FileSystem.status(path)) ?? nil
    guard found?.kind == .symbolicLink, let target = try? FileSystem.realPath(path) else { return found }
    return (try? FileSystem.status(target)) ?? nil
  }

  /// Returns the denials among the inspected files below a directory.
  private func unreadableFiles(below directory: String) -> [ShownPathDenial] {
    var pending = [directory]
    var found: [ShownPathDenial] = []
    var left = Self.maximumFiles
    while left > 0, let next = pending.popLast() {
      guard let names = try? FileSystem.names(in: next) else { continue }
      for name in names.prefix(left) {
        left -= 1
        let path = "\(next)/\(name)"
        // The target of a symbolic link is inspected at the path that shows it.
        guard let kind = (try? FileSystem.status(path))??.kind, [.regular, .directory].contains(kind) else {
          continue
        }
        if let denial = denialByMode(path, .read) {
          found.append(denial)
        } else if kind == .directory {
          pending.append(path)
        }
      }
    }
    return found
  }

  /// Returns the shown path that contains a program, or the program itself if it is shown as a single file.
  private static func shownPath(
    of program: LaunchTarget.Program,
    _ real: String,
    _ subject: LaunchTarget
  ) -> String {
    if let bundle = program.bundle { return (try? FileSystem.realPath(bundle)) ?? bundle }
    let shown = subject.policy.readOnly.map(\.path) + subject.readOnly
    return shown.compactMap { try? FileSystem.realPath($0) }.filter { real.hasPrefix("\($0)/") }
      .min { $0.utf8.count < $1.utf8.count } ?? real
  }

  /// Returns the directories from a shown path down to the directory of a file.
  private static func directories(to file: String, below shown: String) -> [String] {
    var directories: [String] = []
    var directory = FileSystem.directoryName(file)
    while directory == shown || directory.hasPrefix("\(shown)/") {
      directories.append(directory)
      directory = FileSystem.directoryName(directory)
    }
    return directories.reversed()
  }
}

/// A file that the processes of a session cannot access.
package struct ShownPathDenial: Sendable, Hashable, CustomStringConvertible {
  /// The path on the host.
  let path: String
  private let mode: UInt32
  private let isDirectory: Bool
  private let bits: Int32
  private let hasSessionUID: Bool

  /// The required rights.
  var rights: FileSystem.AccessRights { FileSystem.AccessRights(rawValue: bits) }

  /// Creates a denial of a right. `hasSessionUID` is whether the processes run with a UID that owns no files.
  package init(_ path: String, _ status: FileStatus, _ right: FileSystem.AccessRights, hasSessionUID: Bool) {
    self.path = path
    mode = status.permissions
    isDirectory = status.kind == .directory
    bits = (isDirectory ? right.union(.execute) : right).rawValue
    self.hasSessionUID = hasSessionUID
  }

  /// A sentence with the fix.
  package var description: String {
    let verb = rights.contains(.read) ? "read" : isDirectory ? "entered" : "executed"
    let subject = "\(path) (mode \(String(mode, radix: 8))) cannot be \(verb) in the session"
    guard hasSessionUID else { return "\(subject) or by this user; change its permissions, or show a copy" }
    let letters = (rights.contains(.read) ? "r" : "") + (rights.contains(.execute) ? "x" : "")
    return
      "\(subject): the session's UID is neither its owner nor in its group; run 'chmod o+\(letters) \(path)', or show "
      + "a copy"
  }
}
