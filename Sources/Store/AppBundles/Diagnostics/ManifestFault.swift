// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives

/// A problem that a bundle can have.
package enum ManifestFault: Sendable, Hashable {
  // Documents.

  /// A manifest does not exist.
  case manifestMissing
  /// A manifest is larger than the limit in bytes.
  case manifestTooLarge(limit: Int)
  /// A file or directory cannot be read.
  case unreadable(call: String, errno: Errno)
  /// The text is not JSON.
  case syntax(JSONSyntaxErrorText)
  /// A value has the wrong type.
  case wrongType(expected: String, found: String)
  /// A required key is missing.
  case keyMissing
  /// A key is unknown.
  case keyUnknown(nearest: String?, known: [String])
  /// A text that must not be empty is empty.
  case textEmpty
  /// A text is longer than the limit in bytes.
  case textTooLong(limit: Int)
  /// A text contains a control character, which a terminal would interpret, or which cannot be passed to a
  /// program.
  case controlCharacter
  /// A value is not one of the allowed values.
  case notAChoice(found: String, choices: [String])
  /// A number is out of range.
  case outOfRange(found: Double, range: ClosedRange<Double>)
  /// A list contains the same value twice.
  case repeated(String)

  // Names.

  /// An ID has an invalid form.
  case badIdentifier(found: String, problem: IdentifierProblem)
  /// A group ID does not begin with `group.`.
  case badGroup(found: String)
  /// An extension's ID does not begin with the ID of its app.
  case foreignIdentifier(found: String, app: String)
  /// Another extension has the same ID.
  case extensionRepeated(id: String, other: String)
  /// Another control has the same ID.
  case controlRepeated(id: String)
  /// A control launches an extension that the bundle does not contain.
  case extensionUnknown(found: String, nearest: String?, known: [String])

  /// A control names no extension, or several.
  case notOneExtension(count: Int)
  /// An app has a second capture intent, which would be ignored silently.
  case intentsDiffer(found: String, other: String)
  /// Either a control or its extension does not name the capture intent.
  case intentMissing(wanted: String)

  // Requested resources.

  /// Camera frames are requested without a usage description.
  case cameraReasonMissing
  /// An extension uses a resource for which its app has no usage description.
  case appReasonMissing(ProtectedResource)
  /// Frames are requested on standard input for a program that uses the protocol.
  case stdinNeedsNoProtocol
  /// Frames are requested in shared memory for a program without the protocol.
  case ringNeedsProtocol
  /// A program without the protocol cannot be prewarmed, because it cannot be notified of its launch.
  case warmNeedsProtocol
  /// A name is not a valid name of an environment variable.
  case badVariable
  /// Only the host may set the variable.
  case reservedVariable

  // Files.

  /// A path is empty, absolute, or leads outside the extension's directory.
  case pathEscapes(found: String)
  /// A path leads through a symbolic link.
  case pathThroughLink(found: String)
  /// The file does not exist.
  case fileMissing(found: String)
  /// The file is not a regular file.
  case notRegular(found: String, kind: FileStatus.Kind)
  /// The policy is neither a shipped policy nor a file.
  case policyUnknown(found: String, nearest: String?, known: [String])
  /// The program's file has no execute permission.
  case notExecutable(found: String)
  /// The kernel cannot execute the program's file.
  case notAProgram(found: String)
  /// The first line of a script is invalid.
  case badInterpreter(line: String)
  /// The interpreter or loader of the program is not on this machine.
  case partMissing(ProgramPart, path: String)
  /// The policy does not show the interpreter or loader of the program.
  case partHidden(ProgramPart, path: String)
  /// A symbolic link leads to a program of the host that is not on this machine.
  case programMissing(path: String)
  /// Libraries that the program needs are not found in a session.
  case librariesMissing([String])
  /// The program is for another architecture than the manifest declares.
  case wrongArchitecture(found: String, declared: [String])
  /// The extension does not support this machine's architecture.
  case foreignMachine(supported: [String], machine: String)

  // Directory tree.

  /// A symbolic link leads outside the bundle.
  case linkEscapes(target: String)
  /// A symbolic link in an extension leads to a file of the host that the policy does not show.
  case linkHidden(target: String)
  /// A special file: neither a regular file nor a directory or symbolic link.
  case specialFile(FileStatus.Kind)
  /// A set-user-ID or set-group-ID file.
  case setID(links: UInt64)
  /// A file name is not UTF-8.
  case nonUTF8Name
  /// The bundle has too many files, or directories that are too deep.
  case treeTooLarge(limit: Int)
  /// An entry of the extensions directory is not an extension.
  case notAnExtension(FileStatus.Kind)
  /// The bundle has no extension.
  case noExtensions

  /// The severity of the problem.
  package var severity: ManifestDiagnostic.Severity {
    switch self {
    case .noExtensions, .partMissing, .partHidden, .programMissing, .librariesMissing, .repeated: .warning
    default: .error
    }
  }
}

/// A syntax error of a JSON text, as the parser describes it.
package struct JSONSyntaxErrorText: Sendable, Hashable, CustomStringConvertible {
  /// The description without a position.
  package let description: String

  /// Creates a value from an error of the parser.
  package init(_ error: JSONSyntaxError) { description = error.reason.description }
}

/// A problem of a reverse-DNS name.
package enum IdentifierProblem: Sendable, Hashable {
  /// The name has only one label.
  case oneLabel
  /// The name is longer than a file name can be.
  case tooLong
  /// A label is empty: a dot is first, last or follows another dot.
  case emptyLabel
  /// A label is longer than DNS allows.
  case labelTooLong(String)
  /// A label does not begin with a letter, or ends with a hyphen.
  case badEnd(label: String)
  /// The name contains an invalid character.
  case badCharacter(Character)
}
