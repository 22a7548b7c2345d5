// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionTemplates
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionServices

/// `darkroom init`: creates a new app with a capture extension.
package enum InitCommand: Command {
  private static let name = ArgumentSpec(
    "NAME",
    help: "The name of the app, such as camera, or its ID, such as org.flowers.camera"
  )
  private static let language = OptionSpec.value(
    "language",
    "LANGUAGE",
    .choice(TemplateLanguage.allCases.map(\.rawValue)),
    .required,
    help: "Write the capture extension in this language"
  )
  private static let directory = OptionSpec.value(
    "directory",
    "DIR",
    .directory,
    default: ".",
    help: "Create the directory of the app in DIR"
  )
  private static let package = OptionSpec.value(
    "darkroom",
    "DIR",
    .directory,
    help: "Build an app in Swift with the Darkroom sources in DIR (default: those of this program)"
  )

  package static let spec = CommandSpec(
    "init",
    summary: "Create an app with a capture extension",
    discussion: """
      The command creates the directory NAME with:

        - an app with a control
        - a capture extension that shows the camera and captures an image
          at each press of the shutter
        - an importer for the app
        - a test that runs the extension through the host
        - a README with the commands

      A NAME without a dot gets the ID org.example.NAME. An existing directory must be empty: no file is \
      overwritten. The directory appears complete or not at all.
      """,
    options: [language, directory, package],
    arguments: [name],
    examples: [
      ExampleSpec(
        "darkroom init camera --language python",
        "Create an app in Python in the directory camera"
      ),
      ExampleSpec(
        "darkroom init org.flowers.camera --language swift --darkroom ~/darkroom",
        "Create an app in Swift with another ID and other sources"
      ),
    ],
    exitCodes: [
      ExitCode.usage.when("The command line or NAME is invalid"),
      ExitCode.missing.when("The directory of --directory, or Darkroom's sources, do not exist"),
      ExitCode.store.when("The directory of the app is not empty, or cannot be created"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let name: ProjectName
    do { name = try ProjectName(parsed.value(of: Self.name) ?? "") } catch {
      throw CommandFailure(.usage, TextTable.printable("\(error)"))
    }
    let language = parsed.value(of: language).flatMap(TemplateLanguage.init) ?? .shell
    let sources = try package(parsed, language)
    let template = ExtensionTemplate(name, language, package: sources)
    let project = NewProject(name: name.directory, parent: parsed.value(of: directory) ?? ".")
    do { try project.write(template.files) } catch { throw CommandFailure(error) }
    show(name, language, template, project, parsed, console)
    return 0
  }

  /// Prints the created project.
  private static func show(
    _ name: ProjectName,
    _ language: TemplateLanguage,
    _ template: ExtensionTemplate,
    _ project: NewProject,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    if parsed.has(CommonOptions.json) {
      console.print([
        "app": .string(name.id), "extension": .string(name.extensionID), "name": .string(name.title),
        "language": .string(language.rawValue), "directory": .string(project.absolutePath),
        "files": .array(template.files.map { .string($0.path) }),
        "commands": .array(template.commands.map(JSONValue.string)),
      ])
    } else {
      console.print(
        "created \(name.id) with the extension \(name.extensionID) in \(TextTable.printable(project.path))"
      )
      let commands = ["cd \(ShellWord.quoted(project.path))"] + template.commands
      console.print("try it: \(TextTable.printable(commands.joined(separator: " && ")))")
    }
  }

  /// Returns the path of Darkroom's package, or an empty string if the language does not need it.
  private static func package(_ parsed: ParsedCommand, _ language: TemplateLanguage) throws(CommandFailure)
    -> String
  {
    guard language == .swift else {
      guard parsed.has(package) else { return "" }
      throw CommandFailure(.usage, "--darkroom requires --language swift")
    }
    if let path = parsed.value(of: package) {
      guard let sources = DarkroomSources.sources(at: path) else {
        let place = TextTable.printable(path)
        let fix = "give the directory that contains Darkroom's Package.swift"
        throw CommandFailure(.missing, "\(place) does not contain Darkroom's sources; \(fix)")
      }
      return sources
    }
    guard let sources = DarkroomSources.ofCurrentExecutable() else {
      throw CommandFailure(
        .missing,
        "an app in Swift depends on Darkroom's sources, which are not in a parent directory of this program; "
          + "give their directory with --darkroom DIR"
      )
    }
    return sources
  }
}

extension CommandFailure {
  /// Creates the failure for a project that could not be created.
  fileprivate init(_ error: NewProjectError) {
    let code: ExitCode
    switch error {
    case .parent(_, let error) where [.noSuchFile, .notADirectory].contains(error.errno): code = .missing
    case .exists, .parent, .notCreated: code = .store
    }
    self.init(code, TextTable.printable("\(error)"))
  }
}
