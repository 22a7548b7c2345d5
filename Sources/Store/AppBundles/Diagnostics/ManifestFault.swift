// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives

/// Every way in which a bundle can be wrong.
package enum ManifestFault: Sendable, Hashable {
  // The document.

  /// A manifest is not there.
  case manifestMissing
  /// A manifest is larger than a manifest may be, in bytes.
  case manifestTooLarge(limit: Int)
  /// A file or directory cannot be read.
  case unreadable(call: String, errno: Errno)
  /// The text is not JSON.
  case syntax(JSONSyntaxErrorText)
  /// A value is of another kind than it should be.
  case wrongType(expected: String, found: String)
  /// A key that must be there is not.
  case keyMissing
  /// A key that nobody knows.
  case keyUnknown(nearest: String?, known: [String])
  /// A text that must say something is empty.
  case textEmpty
  /// A text is longer than it may be, in bytes.
  case textTooLong(limit: Int)
  /// A text has a character that would be obeyed instead of shown, or that no program could be given.
  case controlCharacter
  /// A value is none of those that are possible.
  case notAChoice(found: String, choices: [String])
  /// A number is out of its range.
  case outOfRange(found: Double, range: ClosedRange<Double>)
  /// A list has the same value twice.
  case repeated(String)

  // Names.

  /// An id is not written as ids are.
  case badIdentifier(found: String, problem: IdentifierProblem)
  /// A group's id does not begin with `group.`.
  case badGroup(found: String)
  /// An extension's id does not begin with its app's.
  case foreignIdentifier(found: String, app: String)
  /// Another extension has the same id.
  case extensionRepeated(id: String, other: String)
  /// Another control has the same id.
  case controlRepeated(id: String)
  /// A control launches an extension that the bundle does not have.
  case extensionUnknown(found: String, nearest: String?, known: [String])

  /// A control names no extension, or several.
  case notOneExtension(count: Int)
  /// A second capture intent in one app, which would be ignored in silence.
  case intentsDiffer(found: String, other: String)
  /// A control and its extension do not both name their capture intent.
  case intentMissing(wanted: String)

  // What is asked for.

  /// Camera frames are asked for, and the manifest does not say why.
  case cameraReasonMissing
  /// An extension uses what its app gives no reason for.
  case appReasonMissing(ProtectedResource)
  /// Frames on standard input, for a program that speaks the protocol.
  case stdinNeedsNoProtocol
  /// Frames in shared memory, for a program that cannot ask for them.
  case ringNeedsProtocol
  /// A program that shall wait for its launch, and speaks no protocol by which it could be told of it.
  case warmNeedsProtocol
  /// A name that no environment variable can have.
  case badVariable
  /// A variable that is the host's to set.
  case reservedVariable

  // Files.

  /// A path is empty, absolute, or leads out of the extension's directory.
  case pathEscapes(found: String)
  /// A path leads through a symbolic link.
  case pathThroughLink(found: String)
  /// There is no such file.
  case fileMissing(found: String)
  /// The file is no regular file.
  case notRegular(found: String, kind: FileStatus.Kind)
  /// The policy is neither one that is shipped nor a file.
  case policyUnknown(found: String, nearest: String?, known: [String])
  /// The program's file has no execute permission.
  case notExecutable(found: String)
  /// The program's file is nothing that the kernel would start.
  case notAProgram(found: String)
  /// A script's first line is wrong.
  case badInterpreter(line: String)
  /// A file that the program is started with is not on this machine.
  case partMissing(ProgramPart, path: String)
  /// A file that the program is started with is not shown by the policy.
  case partHidden(ProgramPart, path: String)
  /// The program of the host that a symbolic link leads to is not on this machine.
  case programMissing(path: String)
  /// Libraries that the program names are not found in a session.
  case librariesMissing([String])
  /// The program is for another machine than the manifest says.
  case wrongArchitecture(found: String, declared: [String])
  /// The extension is not for this machine.
  case foreignMachine(supported: [String], machine: String)

  // The tree.

  /// A symbolic link that leads out of the bundle.
  case linkEscapes(target: String)
  /// A symbolic link in an extension that leads to a file of the host which the extension's policy does not show.
  case linkHidden(target: String)
  /// A file that is no file, directory or link.
  case specialFile(FileStatus.Kind)
  /// A file that would run as another user or group.
  case setID(links: UInt64)
  /// A name that is not UTF-8.
  case unspeakableName
  /// More files, or deeper directories, than a bundle may have.
  case treeTooLarge(limit: Int)
  /// Something lies among the extensions that is none.
  case notAnExtension(FileStatus.Kind)
  /// The bundle has no extension.
  case noExtensions

  /// How bad it is.
  package var severity: ManifestDiagnostic.Severity {
    switch self {
    case .noExtensions, .partMissing, .partHidden, .programMissing, .librariesMissing, .repeated: .warning
    default: .error
    }
  }
}

/// Why a text is not JSON, as the reader says it.
package struct JSONSyntaxErrorText: Sendable, Hashable, CustomStringConvertible {
  /// The reader's sentence, without a position.
  package let description: String

  /// Takes the sentence from the reader's error.
  package init(_ error: JSONSyntaxError) { description = error.reason.description }
}

/// What is wrong with a reverse-DNS id.
package enum IdentifierProblem: Sendable, Hashable {
  /// It has only one label.
  case oneLabel
  /// It is longer than a file's name can be.
  case tooLong
  /// A label is empty: a dot stands first, last or after another.
  case emptyLabel
  /// A label is longer than DNS allows.
  case labelTooLong(String)
  /// A label does not begin with a letter, or ends with a hyphen.
  case badEnd(label: String)
  /// A character that ids do not have.
  case badCharacter(Character)
}
