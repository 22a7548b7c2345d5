// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The file that a session under a policy finds at a path of the host.
package enum ViewedFile: Sendable, Hashable {
  /// A program.
  case program
  /// Any other file.
  case file
  /// Nothing, and the host has nothing there either.
  case absent
  /// Nothing, because the policy does not show the path, or not what its links lead to.
  case hidden
}

/// The files of the host as a session under a policy sees them.
package typealias PolicyView = @Sendable (_ path: String) -> ViewedFile

/// The view under a policy that shows `/usr` alone, as all shipped policies do but `strict`.
@Sendable package func viewOfSystem(_ path: String) -> ViewedFile {
  guard let file = try? FileSystem.realPath(path) else { return path.hasPrefix("/usr/") ? .absent : .hidden }
  guard file.hasPrefix("/usr/"), let status = try? FileSystem.status(file) else { return .hidden }
  return status.kind == .regular && status.permissions & 0o111 != 0 ? .program : .file
}
