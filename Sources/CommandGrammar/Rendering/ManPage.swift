// SPDX-License-Identifier: Apache-2.0

/// One manual page for a command and all its subcommands, in the mdoc(7) language.
package enum ManPage {
  /// Writes the page; the date is written as in `November 21, 2026`.
  package static func render(_ root: CommandSpec, date: String) -> String {
    var page = MdocWriter()
    let path = CommandPath(root)
    page.line(".Dd \(date)")
    page.line(".Dt \(root.name.uppercased()) 1")
    page.macro("Os")
    page.macro("Sh", "NAME")
    page.macro("Nm", root.name)
    page.macro("Nd", root.summary.prefix(1).lowercased() + root.summary.dropFirst())
    synopsis(path, in: &page)
    page.macro("Sh", "DESCRIPTION")
    page.paragraphs(root.discussion.isEmpty ? root.summary + "." : root.discussion)
    if !root.options.isEmpty || !root.subcommands.isEmpty {
      page.macro("Pp")
      page.text("These options can be given with every command:")
      options(root.options + [.help, .version], in: &page)
    }
    commands(path, in: &page)
    exitStatus(root, in: &page)
    examples(path, in: &page)
    return page.source
  }

  /// The commands that can be carried out, one a line.
  private static func synopsis(_ path: CommandPath, in page: inout MdocWriter) {
    page.macro("Sh", "SYNOPSIS")
    for leaf in path.tree where leaf.command.subcommands.isEmpty || leaf.command.alone == .complete {
      page.macro("Nm", leaf.root.name)
      if !leaf.names.isEmpty { page.macro("Cm", leaf.names.joined(separator: " ")) }
      for option in leaf.command.options where option.occurrence == .required {
        page.line(".Fl " + MdocWriter.option(option))
      }
      page.line(".Op Ar option ...")
      for argument in leaf.command.arguments { page.macro("Ar", argument.notation) }
    }
  }

  /// One part for each command, with its options and arguments.
  private static func commands(_ root: CommandPath, in page: inout MdocWriter) {
    let paths = root.tree.dropFirst()
    guard !paths.isEmpty else {
      return arguments(root.command, in: &page)
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

  /// A list of arguments.
  private static func arguments(_ command: CommandSpec, in page: inout MdocWriter) {
    guard !command.arguments.isEmpty else { return }
    page.list(command.arguments) { page, argument in
      page.macro("It Ar", argument.name)
      page.text(argument.explanation + ".")
    }
  }

  /// A list of options.
  private static func options(_ options: [OptionSpec], in page: inout MdocWriter) {
    page.list(options) { page, option in
      let short = option.short.map { "\($0) , Fl " } ?? ""
      page.line(".It Fl " + short + MdocWriter.option(option))
      page.text(option.explanation + ".")
    }
  }

  /// The exit codes of the topmost command, which documents those of all.
  private static func exitStatus(_ root: CommandSpec, in page: inout MdocWriter) {
    guard !root.exitCodes.isEmpty else { return }
    page.macro("Sh", "EXIT STATUS")
    page.list(root.exitCodes) { page, exitCode in
      page.macro("It", exitCode.code)
      page.text(exitCode.meaning + ".")
    }
  }

  /// The examples of all commands.
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
