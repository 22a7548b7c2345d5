// SPDX-License-Identifier: Apache-2.0

/// A reason for which an entry of the content may not be delivered.
package enum QuarantineReason: String, Hashable, Sendable, CaseIterable {
  /// A symbolic link, which could lead a reader to any file.
  case symbolicLink
  /// A FIFO, which could block a process that opens it.
  case fifo
  /// A socket.
  case socket
  /// A character or block device.
  case device
  /// A file with several hard links, which can be anywhere.
  case hardLink
  /// A name that is not UTF-8 and cannot be changed by this user.
  case nameNotUTF8
  /// A name with control characters for a terminal or the text direction that cannot be changed by this user.
  case nameWithControlCharacters
  /// A name that looks like another, or has invisible characters, and cannot be changed by this user.
  case nameMisleading
  /// A name that some programs on some systems cannot open and that cannot be changed by this user.
  case nameNotPortable
  /// A path that, in the app container, exceeds `PATH_MAX`.
  case pathTooLong
  /// A directory deeper than portable content allows (``ContentRule/maximumDepth``).
  case tooDeep
  /// A sparse file with which a copy without holes would exceed the size limit of the policy
  /// (`sessionBytes`).
  case sparse
  /// A mount point of another file system.
  case otherFileSystem
  /// Metadata (owner, mode or attributes) that this user is not permitted to sanitize.
  case notSanitizable
  /// A file that changed during verification.
  case changed
  /// A file that a process outside of the session has open or mapped for writing.
  case heldOpen

  /// The maximum length of a path in bytes: `PATH_MAX` without the terminating null byte.
  static let longestPath = 4095

  /// The problem and its fix, as a part of a sentence.
  package var explanation: String {
    switch self {
    case .symbolicLink: "a symbolic link can lead to any file; write a copy of the file instead"
    case .fifo: "a named pipe can block a program that opens it; remove it before the session ends"
    case .socket: "a socket cannot be used after the session; remove it before the session ends"
    case .device: "a device is not content; remove it before the session ends"
    case .hardLink: "other hard links to the file can be anywhere; write a second file"
    case .nameNotUTF8: "its name is not UTF-8, and this user may not change it; choose another name"
    case .nameWithControlCharacters:
      "its name contains control characters for terminals or the text direction, and this user may not change it; "
        + "choose another name"
    case .nameMisleading:
      "its name looks like another name or has invisible characters, and this user may not change it; choose another name"
    case .nameNotPortable:
      "some programs cannot open its name, and this user may not change it; choose another name"
    case .pathTooLong:
      "its path, together with the path of the app's container, is longer than \(Self.longestPath) bytes (PATH_MAX); "
        + "remove directories, or shorten their names"
    case .tooDeep:
      "portable content has at most \(ContentRule.maximumDepth) nested directories; use fewer directories, or a "
        + "policy with \"content\": \"asWritten\""
    case .sparse:
      "a copy without holes would exceed the policy's \"sessionBytes\"; truncate the file to its data, or raise the limit"
    case .otherFileSystem:
      "it is a mount point of another file system; write to the session directory itself"
    case .notSanitizable:
      "this user may not change its owner, mode or attributes; let the extension itself create it"
    case .changed:
      "another process changed it during the verification; stop that process before the session ends"
    case .heldOpen:
      "a process outside the session can still write to it; close it in that process before the session ends"
    }
  }
}
