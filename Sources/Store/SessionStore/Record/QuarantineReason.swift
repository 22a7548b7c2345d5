// SPDX-License-Identifier: Apache-2.0

/// Why something of the content may not reach the app.
package enum QuarantineReason: String, Hashable, Sendable, CaseIterable {
  /// A symbolic link; whoever follows it could be led anywhere.
  case symbolicLink
  /// A FIFO; whoever opens it could wait for ever.
  case fifo
  /// A socket.
  case socket
  /// A character or block device.
  case device
  /// A file with more than one name; the other could be anywhere.
  case hardLink
  /// A name that is not UTF-8, and that this user may not change.
  case nameNotUTF8
  /// A name with characters that control a terminal or the direction of text, and that this user may not change.
  case nameWithControlCharacters
  /// A name that looks like another one or has characters that look like nothing, and that this user may not change.
  case nameMisleading
  /// A name that not every program on every system can open, and that this user may not change.
  case nameNotPortable
  /// A path that, below the app's container, is longer than the kernel accepts in one call (`PATH_MAX`).
  case pathTooLong
  /// A directory inside more directories than portable content may have (``ContentRule/mostDepth``).
  case tooDeep
  /// A sparse file with which a copy without holes would need more space than the policy allows (`sessionBytes`).
  case sparse
  /// Something that is mounted there from another file system.
  case otherFileSystem
  /// Owner, mode or attributes that this user may not make ordinary.
  case notNormalisable
  /// It changed while it was looked at.
  case changed
  /// Somebody who is no process of the session has it open, or mapped, and can write to it.
  case heldOpen

  /// The longest path in bytes that a program can open in one call: `PATH_MAX` without the terminating null byte.
  static let longestPath = 4095

  /// What is wrong with it, and what would mend that, as a part of a sentence.
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
      "portable content has at most \(ContentRule.mostDepth) directories inside each other; write to fewer, or use a "
        + "policy with \"content\": \"asWritten\""
    case .sparse:
      "a copy without its holes would need more than the policy's \"sessionBytes\"; truncate the file to what it holds, or "
        + "raise the limit"
    case .otherFileSystem:
      "something of another file system is mounted there; write to the session directory itself"
    case .notNormalisable:
      "this user may not change its owner, mode or attributes; see who has made it, and have the extension make it"
    case .changed: "somebody has changed it while it was looked at; end whoever does before the session ends"
    case .heldOpen:
      "a process that is not of the session can still write to it; have it closed there before the session ends"
    }
  }
}
