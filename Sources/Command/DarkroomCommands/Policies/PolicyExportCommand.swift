// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyInterchange
internal import SandboxAudit
internal import SandboxEnforcement
internal import SandboxPolicy

/// `darkroom policy export`: converts a policy to the format of another program.
package enum PolicyExportCommand: Command {
  /// The argument for the format.
  private static let format = ArgumentSpec(
    "FORMAT",
    .one,
    .choice(InterchangeFormat.allCases.map(\.rawValue)),
    help: InterchangeFormat.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "; ")
  )
  /// The argument for the policy.
  private static let policy = ArgumentSpec(
    "POLICY",
    .one,
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "A shipped policy, or the path of a document"
  )
  /// The option for the output file.
  private static let output = OptionSpec.value(
    "output",
    short: "o",
    "FILE",
    .file,
    help: "Write to FILE instead of standard output"
  )

  package static let spec = CommandSpec(
    "export",
    summary: "Convert a policy to the format of another program",
    discussion: """
      Entries that the format cannot express are reported on standard error. The result is read again and compared \
      with the policy exactly: each call that only one of the two allows is reported with its arguments.

      The result is for the architecture of this machine only.
      """,
    options: [output, LossOutput.exact],
    arguments: [format, policy],
    examples: [
      ExampleSpec(
        "darkroom policy export oci base --output base-oci.json",
        "Write a seccomp profile for containers"
      ), ExampleSpec("darkroom policy export bpf base --output base.bpf", "Write the compiled filter"),
      ExampleSpec(
        "darkroom policy export bwrap base --output base.sh",
        "Write a script that runs bubblewrap"
      ),
    ],
    exitCodes: LossOutput.exitCodes + [ExitCode.store.when("The file could not be written")]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let format = InterchangeFormat(rawValue: parsed.value(of: format) ?? "") ?? .oci
    let policy = try SessionCommands.policy(parsed.value(of: policy) ?? "").policy
    let export = try export(policy, format)
    try LossOutput.check(export.losses, parsed, console)
    if let path = parsed.value(of: output) {
      do { try OutputFile(path).write(export.contents, mode: 0o644) } catch {
        throw CommandFailure(.store, "the file could not be written: \(error)")
      }
    } else if !parsed.has(CommonOptions.json) {
      guard format != .bpf || !console.isTerminal else {
        throw CommandFailure(
          .usage,
          "a compiled filter is binary data, and standard output is a terminal; give a file with --output FILE"
        )
      }
      console.print(bytes: export.contents)
    }
    guard !parsed.has(CommonOptions.json) else {
      console.print(json(export, format))
      return 0
    }
    LossOutput.printLosses(export.losses, console)
    return 0
  }

  private static func export(
    _ policy: ResolvedPolicy,
    _ format: InterchangeFormat
  ) throws(CommandFailure) -> PolicyExport {
    let filter: SeccompFilter
    do { filter = try SeccompCompiler.compile(policy) } catch { throw CommandFailure(.data, "\(error)") }
    do {
      return try PolicyExport(policy, as: format, filter: filter.instructions, merging: .libseccomp)
    } catch {
      throw CommandFailure(.data, "\(policy.name): \(error)")
    }
  }

  /// Returns the result as JSON. A compiled filter is a hexadecimal string with eight bytes per instruction.
  private static func json(_ export: PolicyExport, _ format: InterchangeFormat) -> JSONValue {
    let hexadecimal = export.contents.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return .object([
      "format": .string(format.rawValue),
      "contents": .string(
        format == .bpf ? hexadecimal.joined() : String(decoding: export.contents, as: UTF8.self)
      ),
      "losses": LossOutput.json(export.losses),
    ])
  }
}
