// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension ManifestFault {
  /// A description of the problem.
  package var reason: String {
    switch self {
    case .manifestMissing: "No such file or directory (ENOENT)"
    case .manifestTooLarge(let limit): "the manifest is larger than \(limit) bytes"
    case .unreadable(let call, let errno): "cannot be read: \(call): \(errno)"
    case .syntax(let error): "not valid JSON: \(error)"
    case .wrongType(let expected, let found): "expected \(expected), found \(found)"
    case .keyMissing: "the key is missing"
    case .keyUnknown: "unknown key"
    case .textEmpty: "the text is empty"
    case .textTooLong(let limit): "the text is longer than \(limit) bytes"
    case .controlCharacter: "the text contains a control character"
    case .notAChoice(let found, _): "unknown value \"\(found)\""
    case .outOfRange(let found, _): "\(short(found)) is out of range"
    case .repeated(let value): "\"\(value)\" occurs twice in this list"
    default: reasonForNames
    }
  }

  private var reasonForNames: String {
    switch self {
    case .badIdentifier(let found, let problem): "\"\(found)\" is not a reverse-DNS ID: \(problem)"
    case .badGroup(let found): "\"\(found)\" does not begin with \"group.\""
    case .foreignIdentifier(let found, let app): "\"\(found)\" does not begin with its app's ID \"\(app).\""
    case .extensionRepeated(let id, let other): "\"\(id)\" is already the ID of \(other)"
    case .controlRepeated(let id): "\"\(id)\" is already the ID of another control"
    case .extensionUnknown(let found, _, _): "the bundle has no extension \"\(found)\""
    case .notOneExtension(let count):
      "a control launches exactly one capture extension, but this control names \(count)"
    case .intentsDiffer(let found, let other):
      "\"\(found)\" differs from the capture intent \"\(other)\", and an app has only one"
    case .intentMissing(let wanted):
      "the capture intent is missing, but the matching control or extension has \"\(wanted)\""
    case .cameraReasonMissing: "camera frames are requested without a usage description"
    case .appReasonMissing(let resource):
      "the extension uses the \(resource.rawValue), but \(AppBundle.manifestName) has no usage description for it"
    case .stdinNeedsNoProtocol:
      "frames on standard input are available only to programs without the protocol"
    case .warmNeedsProtocol: "a prewarmed program without the protocol cannot be notified of its launch"
    case .ringNeedsProtocol: "frames in shared memory require the protocol"
    case .badVariable: "this is not a valid name of an environment variable"
    case .reservedVariable: "only the host may set this variable"
    default: reasonForFiles
    }
  }

  private var reasonForFiles: String {
    switch self {
    case .pathEscapes(let found): "\"\(found)\" is not a path inside the extension's directory"
    case .pathThroughLink(let found): "\"\(found)\" leads through a symbolic link"
    case .fileMissing(let found): "\"\(found)\": No such file or directory (ENOENT)"
    case .notRegular(let found, let kind): "\"\(found)\" is a \(kind.rawValue), not a regular file"
    case .policyUnknown(let found, _, _): "unknown policy \"\(found)\""
    case .notExecutable(let found): "\"\(found)\" is not executable"
    case .notAProgram(let found): "\"\(found)\" is neither an ELF program nor a script"
    case .badInterpreter(let line): "the script's first line \"\(line)\" does not contain an absolute path"
    case .partMissing(let part, let path):
      "the \(part.owner)'s \(part.rawValue) \(path) does not exist on this machine"
    case .partHidden(let part, let path):
      "the policy does not show the \(part.owner)'s \(part.rawValue) \(path)"
    case .programMissing(let path):
      "the program \(path), the target of a symbolic link, does not exist on this machine"
    case .librariesMissing(let names):
      "a session does not find the program's libraries \(list(Array(names.prefix(8)), "and"))"
    case .wrongArchitecture(let found, let declared):
      "the program is for \(found), but the manifest declares \(list(declared, "and"))"
    case .foreignMachine(let supported, let machine):
      "the extension is for \(list(supported, "and")), but this machine is \(machine)"
    default: reasonForTree
    }
  }

  private var reasonForTree: String {
    switch self {
    case .linkEscapes(let target): "the symbolic link to \"\(target)\" leads outside the bundle"
    case .linkHidden(let target): "the policy does not show \"\(target)\", the target of the symbolic link"
    case .specialFile(let kind): "this is a \(kind.rawValue)"
    case .setID(let links) where links > 1:
      "the file is set-user-ID or set-group-ID and has \(links) hard links"
    case .setID: "the file is set-user-ID or set-group-ID"
    case .nonUTF8Name: "the file's name is not UTF-8"
    case .treeTooLarge(let limit):
      "the bundle has more than \(limit) files and directories, or its directories are too deep"
    case .notAnExtension(let kind): "this is a \(kind.rawValue), not the directory of an extension"
    default: "the bundle has no extension"
    }
  }
}

extension IdentifierProblem: CustomStringConvertible {
  /// A description of the problem.
  package var description: String {
    switch self {
    case .oneLabel: "it has only one part"
    case .tooLong: "it is longer than 255 bytes"
    case .emptyLabel: "a part between two dots is empty"
    case .labelTooLong(let label): "the part \"\(label)\" is longer than 63 bytes"
    case .badEnd(let label): "the part \"\(label)\" does not begin with a letter, or ends with a hyphen"
    case .badCharacter(let character): "it contains the character \"\(character)\""
    }
  }
}

/// Returns words as an enumeration: `a, b or c`.
func list(_ words: [String], _ conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// Returns a number without a trailing `.0`.
func short(_ number: Double) -> String {
  // Int64(exactly:) is avoided because its unoptimized form requires libm, which is not linked.
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension ProgramPart {
  /// The file that names the part.
  fileprivate var owner: String {
    switch self {
    case .interpreter: "script"
    case .loader: "program"
    }
  }
}
