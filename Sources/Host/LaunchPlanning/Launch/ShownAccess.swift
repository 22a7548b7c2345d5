// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy

/// Whether the processes of a session may read and execute what their root shows.
///
/// Root gives each session a user and a group that own nothing. So the mode's bits for others decide, including files that have an
/// access control list: no entry of one names that user or that group, and its entry for others is those bits (acl(5)). For any
/// other identity the kernel is asked, because the processes run as the user of the host. The directories above what is shown
/// do not matter: the sandbox makes its own.
package struct ShownAccess {
  /// The number of files that are examined below a shown directory.
  private static let mostFiles = 1024

  private let identity: LaunchPlan.Identity

  /// Examines for sessions with this identity.
  package init(_ identity: LaunchPlan.Identity) { self.identity = identity }

  /// Whether the processes run as a user that owns nothing.
  private var isOther: Bool { if case .other = identity { true } else { false } }

  /// Throws if the program of a session cannot be executed by the session's processes.
  package func check(_ subject: LaunchSubject) throws(PlanError) {
    let program = subject.program.hostPath
    guard isOther else {
      if let denial = denialByKernel(program, .execute) { throw .unreachable(program: program, denial) }
      return
    }
    guard let real = try? FileSystem.realPath(program),
      let directory = try? FileSystem.realPath(FileSystem.directoryName(program))
    else { return }
    // The program can be a symbolic link, as in a virtual environment: the way to the link matters, and the way to the file.
    let ways = [directory + "/" + FileSystem.lastComponent(program), real].map { path in
      Self.directories(to: path, below: Self.shownPath(of: subject.program, path, subject))
    }
    for path in ways.joined() + [real] {
      if let denial = denialByMode(path, .execute) { throw .unreachable(program: program, denial) }
    }
  }

  /// A sentence for each shown path that the session's processes cannot read as a whole.
  package func notices(_ subject: LaunchSubject) -> [String] {
    subject.policy.readOnly.compactMap { denial($0.path) }.map(\.description)
      + subject.readOnly.compactMap(notice)
  }

  private func notice(_ path: String) -> String? {
    if let denial = denial(path) { return "\(denial)" }
    // The user of the host cannot read such files either, and expects the session to fail on them.
    guard isOther else { return nil }
    let closed = closedFiles(below: path)
    guard let first = closed.first else { return nil }
    return closed.count == 1 ? "\(first)" : "\(first) (and \(closed.count - 1) more in \(path))"
  }

  private func denial(_ path: String) -> ShownDenial? {
    isOther ? denialByMode(path, .read) : denialByKernel(path, .read)
  }

  /// Returns the denial of a right by the mode of a file, or `nil` if the mode grants the right to others. A directory has to
  /// be searched as well.
  private func denialByMode(_ path: String, _ right: FileSystem.AccessRights) -> ShownDenial? {
    guard let status = status(of: path) else { return nil }
    let denial = ShownDenial(path, status, right, isOther: true)
    return Int32(status.permissions & 0o7) & denial.rights.rawValue == denial.rights.rawValue ? nil : denial
  }

  /// Returns the denial of a right by the kernel to this process, or `nil` if the kernel grants the right.
  private func denialByKernel(_ path: String, _ right: FileSystem.AccessRights) -> ShownDenial? {
    do {
      try FileSystem.checkAccess(path, right)
      return nil
    } catch {
      guard error.errno == .permissionDenied, let status = status(of: path) else {
        return nil
      }
      return ShownDenial(path, status, right, isOther: false)
    }
  }

  /// Returns the status of the file at a path, following symbolic links. Nothing is opened: the launch opens these paths once.
  private func status(of path: String) -> FileStatus? {
    let found = (try? FileSystem.status(path)) ?? nil
    guard found?.kind == .symbolicLink, let target = try? FileSystem.realPath(path) else { return found }
    return (try? FileSystem.status(target)) ?? nil
  }

  /// The denials below a directory, of the files that are examined.
  private func closedFiles(below directory: String) -> [ShownDenial] {
    var pending = [directory]
    var found: [ShownDenial] = []
    var left = Self.mostFiles
    while left > 0, let next = pending.popLast() {
      guard let names = try? FileSystem.names(in: next) else { continue }
      for name in names.prefix(left) {
        left -= 1
        let path = "\(next)/\(name)"
        // The target of a symbolic link is examined where it is shown.
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

  /// The shown path below which a program lies; the program itself, if it is shown as a single file.
  private static func shownPath(
    of program: LaunchSubject.Program,
    _ real: String,
    _ subject: LaunchSubject
  ) -> String {
    if let bundle = program.bundle { return (try? FileSystem.realPath(bundle)) ?? bundle }
    let shown = subject.policy.readOnly.map(\.path) + subject.readOnly
    return shown.compactMap { try? FileSystem.realPath($0) }.filter { real.hasPrefix("\($0)/") }
      .min { $0.utf8.count < $1.utf8.count } ?? real
  }

  /// The directories from a shown path down to the directory of a file.
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

/// A file that the processes of a session cannot use.
package struct ShownDenial: Sendable, Hashable, CustomStringConvertible {
  /// The path on the host.
  let path: String
  private let mode: UInt32
  private let isDirectory: Bool
  private let bits: Int32
  private let isOther: Bool

  /// The rights that are needed.
  var rights: FileSystem.AccessRights { FileSystem.AccessRights(rawValue: bits) }

  /// Describes a file whose `right` is missing; `isOther` says whether the processes run as a user that owns nothing.
  package init(_ path: String, _ status: FileStatus, _ right: FileSystem.AccessRights, isOther: Bool) {
    self.path = path
    mode = status.permissions
    isDirectory = status.kind == .directory
    bits = (isDirectory ? right.union(.execute) : right).rawValue
    self.isOther = isOther
  }

  /// A sentence with the fix.
  package var description: String {
    let verb = rights.contains(.read) ? "read" : isDirectory ? "entered" : "executed"
    let subject = "\(path) (mode \(String(mode, radix: 8))) cannot be \(verb) in the session"
    guard isOther else { return "\(subject), nor by this user; change its permissions, or show a copy" }
    let letters = (rights.contains(.read) ? "r" : "") + (rights.contains(.execute) ? "x" : "")
    return
      "\(subject): the session's user is neither its owner nor in its group; run 'chmod o+\(letters) \(path)', or show "
      + "a copy"
  }
}
