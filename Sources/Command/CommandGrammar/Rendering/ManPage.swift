// SPDX-License-Identifier: Apache-2.0

/// A generator of manual pages in the mdoc(7) language: one page for the program, and one for each command
/// with all its subcommands.
package enum ManPage {
  /// Returns the name of a command's page, such as `darkroom` or `darkroom-policy`.
  package static func name(_ path: CommandPath) -> String {
    ([path.root.name] + path.names).joined(separator: "-")
  }

  /// Returns the page of a command, with the date in the form `November 21, 2026`.
  package static func render(_ path: CommandPath, date: String) -> String {
    var page = MdocWriter()
    let command = path.command
    page.line(".Dd \(date)")
    page.line(".Dt \(name(path).uppercased()) 1")
    page.macro("Os")
    page.macro("Sh", "NAME")
    page.macro("Nm", name(path))
    page.macro("Nd", command.summary.prefix(1).lowercased() + command.summary.dropFirst())
    synopsis(path, in: &page)
    page.macro("Sh", "DESCRIPTION")
    page.paragraphs(command.discussion.isEmpty ? command.summary + "." : command.discussion)
    if !path.names.isEmpty { argumentsAndOptions(path, in: &page) }
    commonOptions(path, in: &page)
    commands(path, in: &page)
    exitStatus(path, in: &page)
    examples(path, in: &page)
    references(path, in: &page)
    return page.source
  }

  /// Adds the arguments and options of a command other than the root command.
  private static func argumentsAndOptions(_ path: CommandPath, in page: inout MdocWriter) {
    if !path.command.arguments.isEmpty {
      page.macro("Pp")
      page.text("Arguments:")
      arguments(path.command, in: &page)
    }
    if !path.ownOptions.isEmpty {
      page.macro("Pp")
      page.text("Options:")
      options(path.ownOptions, in: &page)
    }
  }

  /// Adds the options that every command has. The page of the program describes them, and the other pages
  /// name them.
  private static func commonOptions(_ path: CommandPath, in page: inout MdocWriter) {
    page.macro("Pp")
    guard path.names.isEmpty else {
      page.text("\(path.commonOptionsText) (see \(path.root.name)(1)).")
      return
    }
    page.text("Options of every command:")
    options(path.commonOptions, in: &page)
  }

  /// Adds the section with references to other pages.
  private static func references(_ path: CommandPath, in page: inout MdocWriter) {
    let names =
      path.names.isEmpty
      ? path.command.subcommands.map { "\(path.root.name)-\($0.name)" }.sorted() : [path.root.name]
    guard !names.isEmpty else { return }
    page.macro("Sh", "SEE ALSO")
    for name in names { page.line(".Xr \(name) 1\(name == names.last ? "" : " ,")") }
  }

  /// Adds the synopsis, with one line for each command that can be run.
  private static func synopsis(_ path: CommandPath, in page: inout MdocWriter) {
    page.macro("Sh", "SYNOPSIS")
    for leaf in path.tree
    where leaf.command.subcommands.isEmpty || leaf.command.subcommandRequirement != .required {
      page.macro("Nm", leaf.root.name)
      if !leaf.names.isEmpty { page.macro("Cm", leaf.names.joined(separator: " ")) }
      for option in leaf.command.options where option.occurrence == .required {
        page.line(".Fl " + MdocWriter.option(option))
      }
      page.line(".Op Ar option ...")
      for argument in leaf.command.arguments { page.macro("Ar", argument.notation) }
    }
  }

  /// Adds a subsection for each command, with its options and arguments.
  private static func commands(_ top: CommandPath, in page: inout MdocWriter) {
    let paths = top.tree.dropFirst()
    guard !paths.isEmpty else {
      if top.names.isEmpty { arguments(top.command, in: &page) }
      return
    }
    page.macro("Sh", "COMMANDS")
    for path in paths {
      let command = path.command
      page.macro("Ss", (path.names + command.arguments.map(\.notation)).joined(separator: " "))
      page.text(command.summary + ".")
      page.paragraphs(command.discussion, isFirst: false)
      arguments(command, in: &page)
      if !command.options.isEmpty { options(command.options, in: &page) }
    }
  }

  /// Adds a list of arguments.
  private static func arguments(_ command: CommandSpec, in page: inout MdocWriter) {
    guard !command.arguments.isEmpty else { return }
    page.list(command.arguments) { page, argument in
      page.macro("It Ar", argument.name)
      page.text(argument.explanation + ".")
    }
  }

  /// Adds a list of options.
  private static func options(_ options: [OptionSpec], in page: inout MdocWriter) {
    page.list(options) { page, option in
      let short = option.short.map { "\($0) , Fl " } ?? ""
      page.line(".It Fl " + short + MdocWriter.option(option))
      page.text(option.explanation + ".")
    }
  }

  /// Adds the exit codes. The page of the program has their general meanings, the page of a command has those
  /// of the command, and the page of a group has those of each command in the group.
  private static func exitStatus(_ path: CommandPath, in page: inout MdocWriter) {
    let general = path.command.topics.flatMap(\.exitCodes)
    let leaves = general.isEmpty ? path.tree.filter { !$0.exitCodes.isEmpty } : []
    guard !general.isEmpty || !leaves.isEmpty else { return }
    page.macro("Sh", "EXIT STATUS")
    if !general.isEmpty { exitCodes(general, in: &page) }
    for leaf in leaves {
      if leaf.names != path.names { page.macro("Ss", leaf.names.joined(separator: " ")) }
      exitCodes(leaf.exitCodes, in: &page)
    }
  }

  /// Adds a list of exit codes.
  private static func exitCodes(_ codes: [ExitCodeSpec], in page: inout MdocWriter) {
    page.list(codes) { page, exitCode in
      page.macro("It", exitCode.code)
      page.text(exitCode.meaning + ".")
    }
  }

  /// Adds the examples of all commands.
  private static func examples(_ path: CommandPath, in page: inout MdocWriter) {
    let examples = path.tree.flatMap(\.command.examples)
    guard !examples.isEmpty else { return }
    page.macro("Sh", "EXAMPLES")
    for (index, example) in examples.enumerated() {
      if index > 0 { page.macro("Pp") }
      page.text(example.purpose + ":")
      page.macro("Pp")
      page.macro("Dl", example.command)
    }
  }
}
