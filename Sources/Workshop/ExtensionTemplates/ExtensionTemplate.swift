// SPDX-License-Identifier: Apache-2.0

/// The template of a complete app with a capture extension, a control and an importer. It generates the files
/// without writing them to disk.
package struct ExtensionTemplate: Sendable {
  /// The name of the app.
  private let name: ProjectName
  /// The language of the capture extension.
  private let language: TemplateLanguage
  /// The path of Darkroom's package; used only for Swift.
  private let package: String

  /// Creates a template. `package` is the absolute path of Darkroom's sources, on which an app in Swift
  /// depends.
  package init(_ name: ProjectName, _ language: TemplateLanguage, package: String = "") {
    self.name = name
    self.language = language
    self.package = package
  }

  /// The directory of the bundle, relative to that of the app.
  package static let bundle = "bundle"

  /// The files, in the order in which the README lists them.
  package var files: [TemplateFile] {
    let text = TemplateRenderer(values)
    return parts.map { TemplateFile(path: $0.path, mode: $0.mode, text: text.render($0.text)) }
  }

  /// The commands that build and test the app, to be run in its directory.
  package var commands: [String] { (language.isCompiled ? ["./build"] : []) + ["./test"] }

  /// The values of the placeholders in the templates.
  private var values: [String: String] {
    [
      "ID": name.id, "LABEL": name.label, "TITLE": name.title, "EXECUTABLE": language.executable,
      "IMPORTER": language.importer, "SUFFIX": language.suffix, "CHECK": language.imageCheckCommand,
      "DARKROOM": TemplateRenderer.swiftLiteral(package),
      "IMPORT_COMMAND": importCommand,
      "BUILD_COMMAND": language.isCompiled ? "./build\n" : "",
      "BEFORE_TEST": language.isCompiled ? "[ -x bundle/Extensions/Capture/capture ] || ./build\n" : "",
      "FILES": parts.compactMap(\.row).map { "| `\($0.path)` | \($0.summary) |" }
        .joined(separator: "\n"),
    ]
  }

  /// The command with which the user starts the app. A script finds its app ID and its state root itself; a
  /// Swift program receives them in environment variables, as from the host.
  private var importCommand: String {
    let program = "\(Self.bundle)/bin/\(language.importer)"
    guard language == .swift else { return program }
    let root = "${DARKROOM_ROOT:-${XDG_STATE_HOME:-$HOME/.local/state}/darkroom}"
    return "DARKROOM_APP_ID=\(name.id) DARKROOM_ROOT=\"\(root)\" \(program)"
  }

  /// All files before the placeholders are replaced.
  private var parts: [TemplateSource] { language.parts + TemplateSource.common }
}

/// A generated file of a new app.
package struct TemplateFile: Sendable, Equatable {
  /// The path relative to the directory of the app, separated by slashes.
  package var path: String
  /// The permissions, before the user's umask is applied.
  package var mode: UInt32
  /// The contents.
  package var text: String
}
