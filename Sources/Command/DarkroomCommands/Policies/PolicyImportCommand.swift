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
    help: "The name of the policy"
  )
  /// The option for the filter that a bwrap command line loads.
  private static let filter = OptionSpec.value(
    "filter",
    "BPF",
    .file,
    help: "The compiled filter that the command line of bwrap loads (--seccomp)"
  )
  /// The maximum size of a file, in bytes.
  private static let limit = 1 << 20

  package static let spec = CommandSpec(
    "import",
    summary:
      "Make a policy from a seccomp profile, a filter, a minijail policy, a systemd drop-in or a bwrap command",
    discussion: """
      The policy allows the calls of this machine's own architecture that the file allows, as far as a policy can say so, \
      and no other: what it leaves out is told on standard error, with a call as an example. The core of all policies is \
      kept. The comparison is exact; if nothing is told, the two allow the same.

      The document says nothing of files, devices and limits, except where a command line of bwrap does. Add what the \
      program needs.
      """,
    options: [name, filter, LossOutput.exact] + SupervisionOptions.all,
    arguments: [format, file],
    examples: [
      ExampleSpec(
        "darkroom policy import oci profile.json >policy.json",
        "Make a policy from a container's profile"
      ),
      ExampleSpec("darkroom policy import bpf filter.bpf --name mine", "See what a compiled filter allows"),
      ExampleSpec(
        "darkroom policy import bwrap run.sh --filter filter.bpf",
        "Take over a whole sandbox of bwrap"
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
      foreign =
        format == .bwrap
        ? try ForeignProfile(bubblewrap: bytes, filter: loaded)
        : try ForeignProfile(
          bytes,
          as: format,
          merging: .libseccomp,
          including: FilterSource.text(ofIncluded:)
        )
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
