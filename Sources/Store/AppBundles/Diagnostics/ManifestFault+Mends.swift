// SPDX-License-Identifier: Apache-2.0

extension ManifestFault {
  /// The fix.
  package var fix: String {
    switch self {
    case .manifestMissing: "write it; the README shows one to begin with"
    case .manifestTooLarge: "move what is no part of a manifest into files of its own"
    case .unreadable: "make it readable for whoever installs it"
    case .syntax: "correct the text at this place"
    case .wrongType(let expected, _): "write \(expected)"
    case .keyMissing: "add it"
    case .keyUnknown(let nearest?, _): "did you mean \"\(nearest)\"?"
    case .keyUnknown(nil, let known): "remove it, or write one of \(known.joined(separator: ", "))"
    case .textEmpty: "write something"
    case .textTooLong: "make it shorter"
    case .controlCharacter: "remove it"
    case .notAChoice(_, let choices): "write \(list(choices.map { "\"\($0)\"" }, "or"))"
    case .outOfRange(_, let range):
      "write a number from \(short(range.lowerBound)) to \(short(range.upperBound))"
    case .repeated: "remove one of the two"
    default: fixForNames
    }
  }

  private var fixForNames: String {
    switch self {
    case .badIdentifier:
      "write two or more parts with dots between them, each of lower-case letters, digits and hyphens,"
        + " beginning with a letter and not ending with a hyphen: \"org.example.camera\""
    case .badGroup(let found): "write \"group.\(found)\""
    case .foreignIdentifier(let found, let app):
      "write \"\(app).\(found.split(separator: ".").last.map(String.init) ?? "capture")\""
    case .extensionRepeated, .controlRepeated: "give one of the two another id"
    case .extensionUnknown(_, let nearest?, _): "did you mean \"\(nearest)\"?"
    case .extensionUnknown(_, nil, let known) where known.isEmpty: "add the extension, or remove the control"
    case .extensionUnknown(_, nil, let known): "write \(list(known, "or"))"
    case .notOneExtension: "write the id of one, and a control of its own for each other"
    case .intentsDiffer(_, let other): "write \"\(other)\" in both places"
    case .intentMissing(let wanted): "write \"intent\": \"\(wanted)\", or leave it out in both places"
    case .cameraReasonMissing: "say in one sentence, for the person, what the camera is used for"
    case .appReasonMissing(let resource):
      "add usageDescriptions.\(resource.rawValue) to \(AppBundle.manifestName)"
    case .stdinNeedsNoProtocol: "write \"protocol\": \"none\", or \"frames\": \"ring\""
    case .warmNeedsProtocol: "leave \"warm\" out, or write \"protocol\": \"1\""
    case .ringNeedsProtocol: "write \"frames\": \"stdin\", or \"protocol\": \"1\""
    case .badVariable: "use letters, digits and underscores, and no digit first"
    case .reservedVariable: "choose another name"
    default: fixForFiles
    }
  }

  private var fixForFiles: String {
    switch self {
    case .pathEscapes:
      "write a path from the extension's directory, without \"..\" and without a slash in front"
    case .pathThroughLink: "name the file itself, or put a copy in the link's place"
    case .fileMissing: "put the file there, or correct the path"
    case .notRegular: "name a regular file"
    case .policyUnknown(_, let nearest?, _): "did you mean \"\(nearest)\"?"
    case .policyUnknown(_, nil, let known):
      "write one of \(known.joined(separator: ", ")) or a path inside the extension's directory"
    case .notExecutable(let found): "chmod +x \(found)"
    case .notAProgram: "build it, or begin it with a line such as #!/bin/sh"
    case .badInterpreter: "write a line such as #!/bin/sh"
    case .partMissing(.interpreter, _): "install it, or correct the script's first line"
    case .partMissing(.loader, _): "install it, or link the program statically"
    case .partHidden: "have the extension's policy show it, or put it into the extension's directory"
    case .programMissing: "install it"
    case .librariesMissing:
      "put them where the program looks ($ORIGIN), install them, or have the extension's policy show them"
    case .wrongArchitecture(let found, _): "build the program anew, or add \"\(found)\" to architectures"
    case .foreignMachine(_, let machine): "build it for \(machine), or install it on another machine"
    default: fixForTree
    }
  }

  private var fixForTree: String {
    switch self {
    case .linkEscapes: "put a copy of the file in its place"
    case .linkHidden: "put a copy of the file in its place, or have the extension's policy show it"
    case .specialFile: "remove it; a bundle has only files, directories and links within it"
    case .setID: "chmod u-s,g-s it"
    case .nonUTF8Name: "rename it"
    case .treeTooLarge: "leave out what the app does not need"
    case .notAnExtension: "remove it, or put a directory with \(AppBundle.extensionManifestName) in its place"
    default: "add one as \(AppBundle.extensionsName)/<name>/\(AppBundle.extensionManifestName)"
    }
  }
}
