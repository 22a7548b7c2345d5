// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyProof
internal import SandboxAudit
internal import SandboxLaunch
internal import SandboxPolicy

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
    help: "Prove of a compiled filter that it does what this policy says"
  )
  /// The option for additional invariants.
  private static let invariants = OptionSpec.value(
    "invariants",
    "FILE",
    .file,
    help: "Prove these invariants, too: a document like Darkroom's own"
  )
  /// The option for the certificate of the proof.
  private static let certificate = OptionSpec.value(
    "certificate",
    "FILE",
    .file,
    help: "Write the proof of the invariants to FILE, for a checker that trusts nothing of Darkroom's"
  )

  package static let spec = CommandSpec(
    "verify",
    summary: "Prove what compiled filters do, for every call that can be made",
    discussion: """
      A policy is compiled, and the compiled programs are proved: that they do what the policy says, worked out a second \
      time without the compiler, and that no call of the invariants can be made. The proofs cover every architecture, \
      every number and every value of all arguments. Looked at are the program as it is compiled, the pair that a launch \
      loads so that refusals are reported, and what is loaded where there are no namespaces. Of a compiled filter from \
      elsewhere (as bwrap --seccomp takes it) the invariants are proved, and of what seccomp profiles, units of systemd and \
      policies of minijail are compiled to; of a process and a stack, for all filters together. A call that such a filter passes to a supervisor \
      (USER_NOTIF) or tracer (TRACE) counts as made, because either may let it pass; the supervisor of a session refuses \
      every call.

      What is not true has a call that shows it.

      --certificate writes a proof that a small program can check against the compiled filter of one FILTER, which \
      'darkroom policy disassemble --raw' writes. Tests/Rigs/Certificate/check.py is such a program.
      """,
    options: [policy, invariants, certificate, ProcessOption.spec] + SupervisionOptions.all,
    arguments: [filters],
    examples: [
      ExampleSpec("darkroom policy verify base capture strict", "Prove the policies that come with Darkroom"),
      ExampleSpec(
        "darkroom policy verify filter.bpf --policy capture",
        "Compare somebody's filter with a policy"
      ),
    ],
    exitCodes: [
      ExitCodeSpec("0", "Everything was proved"),
      ExitCodeSpec("\(ExitCode.breach.rawValue)", "Something is not true, or could not be proved"),
      ExitCodeSpec(
        "\(ExitCode.unavailable.rawValue)",
        "Everything was proved, but there is no certificate of it"
      ),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "There are mistakes in a policy, a filter or the invariants"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy, file or process"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let more =
      try parsed.value(of: invariants).map { path throws(CommandFailure) in try document(path) } ?? []
    let expected = try parsed.value(of: policy).map { name throws(CommandFailure) in
      try SessionCommands.policy(name).policy
    }
    var verifications: [FilterVerification] = []
    let words = (ProcessOption.argument(parsed).map { [$0] } ?? []) + parsed.values(of: filters)
    guard !words.isEmpty else {
      throw CommandFailure(.usage, "no filter was given; give a filter, or a process with --pid PID")
    }
    for word in words {
      let source = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterSource.find(word)
      }
      guard case .policy(let found) = source else {
        let supervision = source.supervision(foreign: SupervisionOptions.supervision(parsed))
        let proved = try provedForeignFilter(
          try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in try source.programs() },
          expected,
          more,
          supervision
        )
        for remark in source.remarks + source.libraryRemarks {
          console.note(TextTable.printable("darkroom: \(word): \(remark)"))
        }
        verifications.append(FilterVerification(name: word, programs: [proved]))
        continue
      }
      guard expected == nil else {
        throw CommandFailure(.usage, "--policy requires a filter that is not a policy; \(word) is a policy")
      }
      verifications.append(FilterVerification(name: word, programs: try programs(found.policy, more)))
    }
    let output = VerifyOutput(console: console)
    if parsed.has(CommonOptions.json) { output.printJSON(verifications) } else { output.print(verifications) }
    let holds = verifications.allSatisfy(\.holds)
    if holds, let path = parsed.value(of: certificate) {
      let source = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterSource.find(words[0])
      }
      guard words.count == 1 else {
        throw CommandFailure(.usage, "--certificate requires a single FILTER")
      }
      try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterCertificate.write(source, more, SupervisionOptions.supervision(parsed), to: path)
      }
    }
    return holds ? 0 : ExitCode.breach.rawValue
  }

  /// Proves the properties of a foreign filter.
  private static func provedForeignFilter(
    _ programs: [FilterProgram],
    _ policy: ResolvedPolicy?,
    _ more: [Invariant],
    _ supervision: Supervision
  ) throws(CommandFailure) -> ProvedProgram {
    let expectation = policy.map { FilterProver.Expectation(PolicySemantics($0)) }
    var proved = try ProvedProgram("given", programs, expectation, more, under: supervision)
    let verdicts = (try? CallSpace().behavior(ofStack: programs).verdicts) ?? []
    proved.assumptions = supervision.assumptions(about: verdicts)
    return proved
  }

  /// Proves the properties of the programs to which a policy is compiled.
  private static func programs(
    _ policy: ResolvedPolicy,
    _ more: [Invariant]
  ) throws(CommandFailure) -> [ProvedProgram] {
    let compiled = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try FilterSource.compile(policy)
    }
    let terms = FilterInspection.reportingTerms
    var proved = [
      try ProvedProgram(
        "compiled",
        [compiled],
        .init(PolicySemantics(policy)),
        more,
        under: .notificationsRefused
      ),
      try ProvedProgram("loaded", compiled, .init(PolicySemantics(policy), reporting: terms), more),
    ]
    // If every layer is required, no session runs without namespaces.
    guard policy.bestEffort.contains(.userNamespace) else { return proved }
    for signalsAreScoped in [true, false] {
      let restricted = policy.restricted(signalsAreScoped: signalsAreScoped)
      let name = signalsAreScoped ? "without namespaces" : "without namespaces and scopes"
      let program = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterSource.compile(restricted)
      }
      proved.append(
        try ProvedProgram(name, program, .init(PolicySemantics(restricted), reporting: terms), more)
      )
    }
    return proved
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

/// Programs that are loaded together, with their proof.
struct ProvedProgram {
  /// The name of the variant of the programs.
  var name: String
  /// The total number of instructions.
  var instructions: Int
  /// The known answers of the processes that answer on behalf of the programs.
  var supervision: Supervision
  /// The assumptions about the processes that answer on behalf of a foreign filter, one sentence each.
  var assumptions: [String] = []
  var proof: FilterProof

  /// Proves the properties of programs that are loaded together.
  init(
    _ name: String,
    _ programs: [FilterProgram],
    _ expectation: FilterProver.Expectation?,
    _ more: [Invariant],
    under supervision: Supervision
  ) throws(CommandFailure) {
    let invariants: [Invariant]
    do { invariants = try FilterInspection.invariants() + more } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    self.name = name
    instructions = programs.reduce(0) { $0 + $1.instructions.count }
    self.supervision = supervision
    proof = FilterProver(invariants: invariants, supervision: supervision).prove(programs, expectation)
  }

  /// Proves the properties of the two programs that a launch loads, which report refusals.
  init(
    _ name: String,
    _ compiled: FilterProgram,
    _ expectation: FilterProver.Expectation,
    _ more: [Invariant]
  ) throws(CommandFailure) {
    // The supervisor is the session's host, which refuses every call.
    try self.init(
      name,
      try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterSource.installed(compiled)
      },
      expectation,
      more,
      under: .notificationsRefused
    )
  }
}

/// The proofs of the programs that one argument named.
struct FilterVerification {
  /// The argument.
  var name: String
  /// The programs with their proofs.
  var programs: [ProvedProgram]

  /// Whether every claim was proved.
  var holds: Bool { programs.allSatisfy(\.proof.holds) }
}
