// SPDX-License-Identifier: Apache-2.0

/// A whole app with a capture extension, a control and an importer, as files; nothing is written here.
package struct ExtensionTemplate: Sendable {
  /// What the app is called.
  private let name: ProjectName
  /// What its extension is written in.
  private let language: TemplateLanguage
  /// Where Darkroom's package is; only Swift needs it.
  private let package: String

  /// Describes an app. `package` is the absolute path of Darkroom's sources, which an app in Swift depends on.
  package init(_ name: ProjectName, _ language: TemplateLanguage, package: String = "") {
    self.name = name
    self.language = language
    self.package = package
  }

  /// The bundle's directory from the app's.
  package static let bundle = "bundle"

  /// The files, in the order in which the README names them.
  package var files: [TemplateFile] {
    let text = TemplateText(values)
    return parts.map { TemplateFile(path: $0.path, mode: $0.mode, text: text.render($0.text)) }
  }

  /// The commands that build it and try it, from its directory.
  package var commands: [String] { (language.isCompiled ? ["./build"] : []) + ["./test"] }

  /// What the names in the templates stand for.
  private var values: [String: String] {
    [
      "ID": name.id, "LABEL": name.label, "TITLE": name.title, "EXECUTABLE": language.executable,
      "IMPORTER": language.importer, "SUFFIX": language.suffix, "CHECK": language.check,
      "DARKROOM": TemplateText.swiftLiteral(package),
      "IMPORT_COMMAND": importCommand,
      "BUILD_COMMAND": language.isCompiled ? "./build\n" : "",
      "BEFORE_TEST": language.isCompiled ? "[ -x bundle/Extensions/Capture/capture ] || ./build\n" : "",
      "FILES": parts.compactMap { part in part.meaning.map { "| `\(part.path)` | \($0) |" } }
        .joined(separator: "\n"),
    ]
  }

  /// How the person starts the app: a script knows which it is, one in Swift is told, as the host tells it.
  private var importCommand: String {
    let program = "\(Self.bundle)/bin/\(language.importer)"
    guard language == .swift else { return program }
    let root = "${DARKROOM_ROOT:-${XDG_STATE_HOME:-$HOME/.local/state}/darkroom}"
    return "DARKROOM_APP_ID=\(name.id) DARKROOM_ROOT=\"\(root)\" \(program)"
  }

  /// All files before the app's names are in them.
  private var parts: [TemplatePart] { language.parts + TemplatePart.common }
}
