// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyInterchange
internal import SandboxAudit
internal import SandboxPolicy

/// `darkroom policy import`: converts a policy of another program to a Darkroom policy.
package enum PolicyImportCommand: Command {
  /// The argument for the format.
  private static let format = ArgumentSpec(
    "FORMAT",
    .one,
    .choice(InterchangeFormat.readable.map(\.rawValue)),
    help: InterchangeFormat.readable.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "; ")
  )
  /// The argument for the file.
  private static let file = ArgumentSpec("FILE", .one, .file, help: "The file, or - for standard input")
  /// The option for the name of the policy.
  private static let name = OptionSpec.value(
    "name",
    "NAME",
    default: "imported",
    help: "Give this name to the policy"
  )
  /// The option for the filter that a bwrap command line loads.
  private static let filter = OptionSpec.value(
    "filter",
    "BPF",
    .file,
    help: "Read the compiled filter of a bwrap command line (--seccomp) from BPF"
  )
  /// The maximum size of a file, in bytes.
  private static let limit = 1 << 20

  package static let spec = CommandSpec(
    "import",
    summary: "Convert a filter of another program to a policy",
    discussion: """
      The policy allows the calls of this machine's architecture that the file allows, as far as a policy can \
      express them, and no other call. Each omission is reported on standard error with a call as an example. The \
      core of all policies is kept. The comparison is exact: without reports, the two allow the same calls.

      The policy contains no files, devices and limits, except those of a bwrap command line. Add those that the \
      program needs.
      """,
    options: [name, filter, LossOutput.exact] + SupervisionOptions.all,
    arguments: [format, file],
    examples: [
      ExampleSpec(
        "darkroom policy import oci profile.json >policy.json",
        "Convert the seccomp profile of a container"
      ), ExampleSpec("darkroom policy import bpf filter.bpf --name mine", "Convert a compiled filter"),
      ExampleSpec(
        "darkroom policy import bwrap run.sh --filter filter.bpf",
        "Convert a bwrap command line with its filter"
      ),
    ],
    exitCodes: LossOutput.exitCodes
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let word = parsed.value(of: file) ?? ""
    let format = InterchangeFormat(rawValue: parsed.value(of: format) ?? "") ?? .oci
    let bytes = try read(word == "-" ? "/dev/stdin" : word)
    let foreign: ForeignProfile
    let loaded = try parsed.value(of: filter).map { path throws(CommandFailure) in try read(path) }
    guard loaded == nil || format == .bwrap else {
      throw CommandFailure(.usage, "--filter requires the format bwrap")
    }
    do {
      foreign = try ForeignProfile(bytes, as: format, filter: loaded)
    } catch {
      throw CommandFailure(.data, "\(word): \(TextTable.printable("\(error)"))")
    }
    let result: PolicyImport
    do {
      result = try PolicyImport(
        foreign,
        name: parsed.value(of: name) ?? "imported",
        description: "Imported: \(format.summary).",
        under: SupervisionOptions.supervision(parsed)
      )
    } catch .document(let mistakes) {
      throw CommandFailure(.usage, "--name: \(mistakes.all.map(\.mistake.reason).joined(separator: ", "))")
    } catch { throw CommandFailure(.data, "\(word): \(error)") }
    try LossOutput.check(result.losses, parsed, console)
    guard !parsed.has(CommonOptions.json) else {
      console.print(["policy": result.document, "losses": LossOutput.json(result.losses)])
      return 0
    }
    console.print(result.document)
    LossOutput.printLosses(result.losses, console)
    return 0
  }

  private static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let bytes: [UInt8]?
    do { bytes = try FileSystem.contents(path, limit: limit) } catch {
      throw CommandFailure(.missing, "the file cannot be read: \(error)")
    }
    guard let bytes else {
      throw CommandFailure(.data, "\(path) exceeds the maximum size of \(limit) bytes")
    }
    return bytes
  }
}
