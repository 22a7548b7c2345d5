// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation

/// `darkroom install`: validates an app bundle, and installs it if it has no errors.
package enum InstallCommand: Command {
  private static let bundle = ArgumentSpec(
    "PATH",
    .one,
    .directory,
    help: "The directory with app.json and Extensions"
  )
  private static let check = OptionSpec.flag(
    "check",
    help: "Report errors of the bundle without installing it"
  )

  package static let spec = CommandSpec(
    "install",
    summary: "Install an app and its extensions from a bundle",
    discussion: """
      The bundle is copied, and every executable, manifest and policy in the copy is pinned by its digest. The \
      original bundle is no longer needed. A new installation replaces the copy, and keeps the content, context \
      and records of the app.

      Each error is printed on a line as file:line:column: key: reason; fix. Warnings do not prevent the \
      installation.
      """,
    options: [check],
    arguments: [bundle],
    examples: [
      ExampleSpec("darkroom install --check ./Camera.app", "Check a bundle"),
      ExampleSpec("darkroom install ./Camera.app", "Install the app"),
    ],
    exitCodes: [
      ExitCode.success("The app is installed; with --check, the bundle has no errors"),
      ExitCode.data.when("The bundle has errors, or PATH is not a directory"),
      ExitCode.missing.when("PATH does not exist, or cannot be read"), ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = parsed.value(of: bundle) ?? ""
    try requireDirectory(path)
    let output = BundleOutput(path: path, isJSON: parsed.has(CommonOptions.json), console: console)
    if parsed.has(check) {
      return try output.printValidation(PolicyFinder.validator.validate(path))
    }
    let root = try CommonOptions.stateRoot(parsed, console)
    do {
      output.printInstallation(try root.catalog.install(path))
      return 0
    } catch .bundleRefused(_, let faults) {
      throw output.printRefusal(faults)
    } catch { throw CommandFailure(error) }
  }

  /// Throws unless the path is a directory, because a wrong path is a different error than a faulty bundle.
  private static func requireDirectory(_ path: String) throws(CommandFailure) {
    do {
      _ = try FileSystem.open(path, [.directory])
    } catch  where error.errno == .notADirectory {
      let name = TextTable.printable(path)
      throw CommandFailure(.data, "\(name) is not a directory; give the directory that contains app.json")
    } catch { throw CommandFailure(.missing, "the bundle cannot be read: \(error)") }
  }
}
