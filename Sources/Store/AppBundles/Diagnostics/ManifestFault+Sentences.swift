// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension ManifestFault {
  /// A description of the problem.
  package var reason: String {
    switch self {
    case .manifestMissing: "there is no such file"
    case .manifestTooLarge(let limit): "the manifest is larger than \(limit) bytes"
    case .unreadable(let call, let errno): "it cannot be read: \(call): \(errno)"
    case .syntax(let error): "this is not JSON: \(error)"
    case .wrongType(let expected, let found): "this is \(found), not \(expected)"
    case .keyMissing: "the key is missing"
    case .keyUnknown: "there is no such key"
    case .textEmpty: "the text is empty"
    case .textTooLong(let limit): "the text is longer than \(limit) bytes"
    case .controlCharacter: "the text has a control character"
    case .notAChoice(let found, _): "\"\(found)\" is not possible here"
    case .outOfRange(let found, _): "\(short(found)) is out of range"
    case .repeated(let value): "\"\(value)\" stands here twice"
    default: reasonForNames
    }
  }

  private var reasonForNames: String {
    switch self {
    case .badIdentifier(let found, let problem): "\"\(found)\" is no reverse-DNS id: \(problem)"
    case .badGroup(let found): "\"\(found)\" does not begin with \"group.\""
    case .foreignIdentifier(let found, let app): "\"\(found)\" does not begin with its app's id \"\(app).\""
    case .extensionRepeated(let id, let other): "\"\(id)\" is the id of \(other), too"
    case .controlRepeated(let id): "\"\(id)\" is the id of another control, too"
    case .extensionUnknown(let found, _, _): "the bundle has no extension \"\(found)\""
    case .notOneExtension(let count):
      "a control launches exactly one capture extension, and this names \(count)"
    case .intentsDiffer(let found, let other):
      "\"\(found)\" is a second capture intent beside \"\(other)\", and an app has one"
    case .intentMissing(let wanted): "no capture intent is named here, and \"\(wanted)\" where it belongs to"
    case .cameraReasonMissing: "camera frames are asked for, and no reason is given"
    case .appReasonMissing(let resource):
      "the extension uses the \(resource.rawValue), for which \(AppBundle.manifestName) gives no reason"
    case .stdinNeedsNoProtocol:
      "frames come on standard input only to programs that do not speak the protocol"
    case .warmNeedsProtocol: "without the protocol nobody can tell a program that waits that it is launched"
    case .ringNeedsProtocol: "frames in shared memory have to be asked for through the protocol"
    case .badVariable: "no environment variable can have this name"
    case .reservedVariable: "the host sets this variable itself"
    default: reasonForFiles
    }
  }

  private var reasonForFiles: String {
    switch self {
    case .pathEscapes(let found): "\"\(found)\" does not lie in the extension's directory"
    case .pathThroughLink(let found): "\"\(found)\" leads through a symbolic link"
    case .fileMissing(let found): "there is no file \"\(found)\""
    case .notRegular(let found, let kind): "\"\(found)\" is a \(kind.rawValue), not a regular file"
    case .policyUnknown(let found, _, _): "there is no policy \"\(found)\""
    case .notExecutable(let found): "\"\(found)\" is not executable"
    case .notAProgram(let found): "\"\(found)\" is neither an ELF program nor a script"
    case .badInterpreter(let line): "the script's first line \"\(line)\" names no absolute path"
    case .partMissing(let part, let path):
      "the \(part.owner)'s \(part.rawValue) \(path) is not on this machine"
    case .partHidden(let part, let path):
      "the policy does not show the \(part.owner)'s \(part.rawValue) \(path)"
    case .programMissing(let path):
      "the program \(path), to which a symbolic link leads, is not on this machine"
    case .librariesMissing(let names):
      "a session does not find what the program is loaded with: \(list(Array(names.prefix(8)), "and"))"
    case .wrongArchitecture(let found, let declared):
      "the program is for \(found), the manifest says \(list(declared, "and"))"
    case .foreignMachine(let supported, let machine):
      "the extension is for \(list(supported, "and")), this machine is \(machine)"
    default: reasonForTree
    }
  }

  private var reasonForTree: String {
    switch self {
    case .linkEscapes(let target): "the symbolic link to \"\(target)\" leads out of the bundle"
    case .linkHidden(let target): "the policy does not show \"\(target)\", to which the symbolic link leads"
    case .specialFile(let kind): "this is a \(kind.rawValue)"
    case .setID(let links) where links > 1:
      "the file is set-user-ID or set-group-ID and has \(links) hard links"
    case .setID: "the file is set-user-ID or set-group-ID"
    case .nonUTF8Name: "the file's name is not UTF-8"
    case .treeTooLarge(let limit): "the bundle has more than \(limit) files and directories, or is too deep"
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
    case .badEnd(let label): "the part \"\(label)\" begins or ends with the wrong character"
    case .badCharacter(let character): "it has the character \"\(character)\""
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
