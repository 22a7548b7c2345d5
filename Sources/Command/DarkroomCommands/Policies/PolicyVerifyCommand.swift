// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyProof
internal import SandboxAudit

/// `darkroom policy verify`: proves properties of compiled filters.
package enum PolicyVerifyCommand: Command {
  /// The argument for the filters.
  private static let filters = ArgumentSpec(
    "FILTER",
    .many(atLeast: 0),
    FilterArgument.value,
    help: FilterArgument.help
  )
  /// The option for the policy with which compiled filters are compared.
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "Prove that a compiled filter has the effect of this policy"
  )
  /// The option for additional invariants.
  private static let invariants = OptionSpec.value(
    "invariants",
    "FILE",
    .file,
    help: "Prove the invariants in FILE, too; the format is that of Darkroom's invariants"
  )
  /// The option for the certificate of the proof.
  private static let certificate = OptionSpec.value(
    "certificate",
    "FILE",
    .file,
    help: "Write a certificate of the proof to FILE, for an independent checker"
  )

  package static let spec = CommandSpec(
    "verify",
    summary: "Prove the properties of compiled filters",
    discussion: """
      A policy is compiled, and two properties of the compiled programs are proved: they have the effect of the \
      policy, which is evaluated a second time without the compiler; and they allow no call of the invariants. The \
      proofs cover every architecture, every call number and all values of all arguments.

      The proved programs are the compiled program, the pair that a launch installs to report refusals, and the \
      program for sessions without namespaces. For filters of other programs, processes and stacks, the invariants \
      are proved; the filters of a process or stack are proved together. A call that such a filter passes to a \
      supervisor (USER_NOTIF) or tracer (TRACE) counts as allowed, because either can allow the call. The \
      supervisor of a session refuses every call.

      For a property that does not hold, the command prints a call as an example.

      --certificate writes a proof for one FILTER. A small program, such as Tests/Rigs/Certificate/check.py, can \
      check the proof against the output of 'darkroom policy disassemble --raw'.
      """,
    options: [policy, invariants, certificate, ProcessOption.spec] + SupervisionOptions.all,
    arguments: [filters],
    examples: [
      ExampleSpec("darkroom policy verify base capture container strict", "Verify the shipped policies"),
      ExampleSpec(
        "darkroom policy verify filter.bpf --policy capture",
        "Compare a compiled filter with a policy"
      ),
    ],
    exitCodes: [
      ExitCode.success("Everything was proved"),
      ExitCode.usage.when("The command line is invalid, or an option does not fit the filter"),
      ExitCode.data.when("A policy, a filter or the document of invariants is invalid"),
      ExitCode.unknownFilter,
      ExitCode.unavailable.when("Everything was proved, but there is no certificate of the proof"),
      ExitCode.breach.when("A property does not hold, or could not be proved"), ExitCode.unreadableFilter,
      ExitCode.output.when("The output or the certificate could not be written"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let more =
      try parsed.value(of: invariants).map { path throws(CommandFailure) in try document(path) } ?? []
    let words = try filterWords(parsed)
    let expected = try parsed.value(of: policy).map { name throws(CommandFailure) in
      try SessionCommands.policy(name).policy
    }
    let supervision = SupervisionOptions.supervision(parsed)
    var verifications: [NamedVerification] = []
    // The certificate is about the filter that was proved: its file may change, and a pipe can be read only once.
    var sources: [FilterSource] = []
    for word in words {
      let source = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterSource.find(word)
      }
      sources.append(source)
      guard expected == nil || source.policy == nil else {
        throw CommandFailure(.usage, "--policy requires a filter that is not a policy; \(word) is a policy")
      }
      let proofs = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterVerification(of: source, expecting: expected, more, under: supervision)
      }
      for remark in source.remarks + source.libraryRemarks {
        console.note(TextTable.printable("darkroom: \(word): \(remark)"))
      }
      verifications.append(NamedVerification(name: word, proofs: proofs))
    }
    let output = VerifyOutput(console: console)
    if parsed.has(CommonOptions.json) { output.printJSON(verifications) } else { output.print(verifications) }
    let holds = verifications.allSatisfy(\.proofs.holds)
    if holds, let path = parsed.value(of: certificate) {
      try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterCertificate.write(sources[0], more, supervision, to: path)
      }
    }
    return holds ? 0 : ExitCode.breach.rawValue
  }

  /// Returns the arguments that name the filters.
  private static func filterWords(_ parsed: ParsedCommand) throws(CommandFailure) -> [String] {
    let words = (ProcessOption.argument(parsed).map { [$0] } ?? []) + parsed.values(of: filters)
    guard !words.isEmpty else {
      throw CommandFailure(.usage, "no filter was given; give a filter, or a process with --pid PID")
    }
    guard (words + [parsed.value(of: policy)]).count(where: { $0 == "-" }) < 2 else {
      throw CommandFailure(
        .usage,
        "standard input can be read only once; give a file for each other FILTER and for --policy"
      )
    }
    guard parsed.value(of: certificate) == nil || words.count == 1 else {
      throw CommandFailure(.usage, "--certificate requires a single FILTER")
    }
    return words
  }

  /// Returns the invariants of a document.
  private static func document(_ path: String) throws(CommandFailure) -> [Invariant] {
    let text: [UInt8]?
    do { text = try FileSystem.contents(path, limit: 1 << 20) } catch {
      throw CommandFailure(.missing, "the invariants cannot be read: \(error)")
    }
    guard let text else {
      throw CommandFailure(.data, "\(path) exceeds the maximum size of \(1 << 20) bytes")
    }
    do { return try InvariantDocument(text, source: path).invariants } catch {
      throw CommandFailure(.data, "\(error)")
    }
  }
}

/// The proofs of the programs that one argument named.
struct NamedVerification {
  /// The argument.
  let name: String
  /// The programs with their proofs.
  let proofs: FilterVerification
}
