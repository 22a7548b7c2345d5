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
  case notSanitizable = "notNormalisable"
  /// A file that changed during verification.
  case changed
  /// A file that a process outside of the session has open or mapped for writing.
  case heldOpen

  /// The maximum length of a path in bytes: `PATH_MAX` without the terminating null byte.
  static let longestPath = 4095

  /// The problem and its fix, as a part of a sentence.
  package var explanation: String {
    switch self {
    case .symbolicLink: "a symbolic link can lead anywhere; write the file itself where the link is"
    case .fifo: "whoever opens a named pipe can wait for ever; remove it before the session ends"
    case .socket: "a socket leads to nobody when the session has ended; remove it before that"
    case .device: "a device is no content; remove it before the session ends"
    case .hardLink: "the other names of a file can be anywhere; write a second file"
    case .nameNotUTF8: "its name is not UTF-8, and this user may not change it; choose another"
    case .nameWithControlCharacters:
      "its name controls a terminal or the direction of text, and this user may not change it; choose another"
    case .nameMisleading:
      "its name looks like another or like nothing, and this user may not change it; choose another"
    case .nameNotPortable:
      "not every program can open its name, and this user may not change it; choose another name"
    case .pathTooLong:
      "its path is longer than the \(Self.longestPath) bytes that the kernel takes, counted with the path of the app's "
        + "container; leave out directories, or shorten their names"
    case .tooDeep:
      "portable content has at most \(ContentRule.maximumDepth) directories inside each other; write to fewer, or use a "
        + "policy with \"content\": \"asWritten\""
    case .sparse:
      "a copy without its holes would need more than the policy's \"sessionBytes\"; truncate the file to what it holds, or "
        + "raise the limit"
    case .otherFileSystem:
      "something of another file system is mounted there; write to the session directory itself"
    case .notSanitizable:
      "this user may not change its owner, mode or attributes; see who has made it, and have the extension make it"
    case .changed: "somebody has changed it while it was looked at; end whoever does before the session ends"
    case .heldOpen:
      "a process that is not of the session can still write to it; have it closed there before the session ends"
    }
  }
}
