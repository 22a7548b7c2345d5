// SPDX-License-Identifier: Apache-2.0

extension ManifestFault {
  package var fix: String {
    switch self {
    case .manifestMissing: "create the file; 'darkroom init' creates a complete app"
    case .manifestTooLarge: "move data that does not belong to a manifest into other files"
    case .unreadable: "make it readable for the user who installs it"
    case .syntax: "correct the text at this position"
    case .wrongType(let expected, _): "write \(expected)"
    case .keyMissing: "add it"
    case .keyUnknown(let nearest?, _): "did you mean \"\(nearest)\"?"
    case .keyUnknown(nil, let known):
      "remove it, or write one of \(Self.quoted(known).joined(separator: ", "))"
    case .textEmpty: "write at least one character"
    case .textTooLong: "make it shorter"
    case .controlCharacter: "remove it"
    case .notAChoice(_, let choices): "write \(list(Self.quoted(choices), "or"))"
    case .outOfRange(_, let range):
      "write a number from \(short(range.lowerBound)) to \(short(range.upperBound))"
    case .repeated: "remove one of the two"
    default: fixForNames
    }
  }

  private var fixForNames: String {
    switch self {
    case .badIdentifier:
      "use two or more parts separated by dots, each of lower-case letters, digits and hyphens,"
        + " beginning with a letter and not ending with a hyphen, such as \"org.example.camera\""
    case .badGroup(let found): "write \"group.\(found)\""
    case .foreignIdentifier(let found, let app):
      "write \"\(app).\(found.split(separator: ".").last.map(String.init) ?? "capture")\""
    case .extensionRepeated, .controlRepeated: "change one of the two IDs"
    case .extensionUnknown(_, let nearest?, _): "did you mean \"\(nearest)\"?"
    case .extensionUnknown(_, nil, let known) where known.isEmpty: "add the extension, or remove the control"
    case .extensionUnknown(_, nil, let known): "write \(list(Self.quoted(known), "or"))"
    case .notOneExtension:
      "write the ID of one extension, and add a separate control for each other extension"
    case .intentsDiffer(_, let other): "write \"\(other)\" in both places"
    case .intentMissing(let wanted): "write \"intent\": \"\(wanted)\", or remove it in both places"
    case .cameraReasonMissing: "describe the use of the camera for the user, in one sentence"
    case .appReasonMissing(let resource):
      "add usageDescriptions.\(resource.rawValue) to \(AppBundle.manifestName)"
    case .stdinNeedsNoProtocol: "write \"protocol\": \"none\", or \"frames\": \"ring\""
    case .warmNeedsProtocol: "remove \"warm\", or write \"protocol\": \"1\""
    case .ringNeedsProtocol: "write \"frames\": \"stdin\", or \"protocol\": \"1\""
    case .badVariable: "use letters, digits and underscores, without a digit at the start"
    case .reservedVariable: "choose another name"
    default: fixForFiles
    }
  }

  /// Returns words in double quotes, as they are written in a manifest.
  private static func quoted(_ words: [String]) -> [String] { words.map { "\"\($0)\"" } }

  private var fixForFiles: String {
    switch self {
    case .pathEscapes:
      "write a path relative to the extension's directory, without \"..\" or a leading slash"
    case .pathThroughLink: "name the file itself, or replace the link with a copy of the file"
    case .fileMissing: "add the file, or correct the path"
    case .notRegular: "name a regular file"
    case .policyUnknown(_, let nearest?, _): "did you mean \"\(nearest)\"?"
    case .policyUnknown(_, nil, let known):
      "write one of \(Self.quoted(known).joined(separator: ", ")), or a path inside the extension's directory"
    case .notExecutable(let found): "run 'chmod +x \(found)'"
    case .notAProgram: "build the program, or add a first line such as #!/bin/sh"
    case .badInterpreter: "write a first line such as #!/bin/sh"
    case .partMissing(.interpreter, _): "install it, or correct the script's first line"
    case .partMissing(.loader, _): "install it, or link the program statically"
    case .partHidden: "show it in the extension's policy, or copy it into the extension's directory"
    case .programMissing: "install it"
    case .librariesMissing:
      "copy them to the program's search path ($ORIGIN), install them, or show them in the extension's policy"
    case .wrongArchitecture(let found, _): "rebuild the program, or add \"\(found)\" to architectures"
    case .foreignMachine(_, let machine): "build it for \(machine), or install it on another machine"
    default: fixForTree
    }
  }

  private var fixForTree: String {
    switch self {
    case .linkEscapes: "replace the link with a copy of the file"
    case .linkHidden: "replace the link with a copy of the file, or show the target in the extension's policy"
    case .specialFile:
      "remove it, because a bundle may contain only files, directories and links inside the bundle"
    case .setID: "clear the bits with chmod u-s,g-s"
    case .nonUTF8Name: "rename it"
    case .treeTooLarge: "remove files that the app does not need"
    case .notAnExtension:
      "remove it, or replace it with a directory that contains \(AppBundle.extensionManifestName)"
    default: "add one as \(AppBundle.extensionsName)/<name>/\(AppBundle.extensionManifestName)"
    }
  }
}
