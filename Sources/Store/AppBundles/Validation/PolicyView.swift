// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The kind of file that a session finds at a path of the host.
package enum FileVisibility: Sendable, Hashable {
  /// An executable regular file.
  case program
  /// Any other file.
  case file
  /// No file, in the session and on the host.
  case absent
  /// No file in the session, because the policy does not show the path or the target of its links.
  case hidden
}

/// Returns the kind of file that a session under a policy finds at a path of the host.
package typealias PolicyView = @Sendable (_ path: String) -> FileVisibility

/// Returns the kind of file under a policy that shows only `/usr`, as all shipped policies except `strict`
/// do.
@Sendable package func systemPolicyView(_ path: String) -> FileVisibility {
  guard let file = try? FileSystem.realPath(path) else { return path.hasPrefix("/usr/") ? .absent : .hidden }
  guard file.hasPrefix("/usr/"), let status = try? FileSystem.status(file) else { return .hidden }
  return status.kind == .regular && status.permissions & 0o111 != 0 ? .program : .file
}
