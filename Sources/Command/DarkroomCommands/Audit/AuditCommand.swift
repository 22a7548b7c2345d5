// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import Digests
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyTrials
internal import SandboxAudit
internal import SandboxPolicy
internal import SessionStore

/// `darkroom audit`: reports everything that an auditor needs to sign off an extension.
package enum AuditCommand: Command {
  private static let live = OptionSpec.flag(
    "live",
    help: "Attack the policy, too, in every way that Darkroom knows"
  )
  private static let probes = OptionSpec.value(
    "probes",
    "FILE",
    .file,
    help: "Attack with this darkroom-probe (default: next to darkroom, or in ../libexec/darkroom)"
  )
  private static let html = OptionSpec.value(
    "html",
    "FILE",
    .file,
    help: "Write the report to FILE as a self-contained page, and print nothing"
  )
  private static let subject = ArgumentSpec(
    "EXT|APP",
    .optional,
    help: "The ID of an extension, or of an app with all its extensions"
  )

  package static let spec = CommandSpec(
    "audit",
    summary: "Report on an extension for an auditor",
    discussion: """
      The report contains:

        - the extension and its requests
        - the description of its policy, and the enforcement on this machine
        - the findings of a check of the policy
        - the reachable part of the kernel, compared with other sandboxes
        - the sessions of the extension

      The report has no score. A sandbox is created to inspect its layers; the extension is not run.

      --attest signs the report: an in-toto statement in a DSSE envelope, with the digests of the report, bundle, \
      program, manifest, policy and compiled filter. --verify verifies such a file, and compares the installation \
      with it; --since reports the changes. 'darkroom run --require-audit' launches only the audited installation.
      """,
    options: [live, html, probes] + AuditSigning.options,
    arguments: [subject],
    examples: [
      ExampleSpec("darkroom audit org.example.camera.capture", "Print the report"),
      ExampleSpec(
        "darkroom audit org.example.camera --live --html report.html",
        "Attack the policies, too, and write a page"
      ),
      ExampleSpec(
        "darkroom audit org.example.camera --attest camera.json --key auditor.key",
        "Sign the report"
      ),
      ExampleSpec(
        "darkroom audit org.example.camera --verify camera.json --public-key auditor.key.pub",
        "Compare the installation with a signed report"
      ),
    ],
    exitCodes: [
      ExitCode.success("The report was created; with --verify, the installation matches the audit"),
      ExitCode.checkFailed.when("With --verify: the installation differs from the audit"),
      ExitCode.usage.when("The command line is invalid, or an option requires another one"),
      ExitCode.data.when("A signature, key, attestation or policy is invalid"),
      ExitCode.missing.when("The extension, the app, darkroom-probe or a file does not exist"),
      ExitCode.breach.when("With --live: an attempt got through the sandbox"),
      ExitCode.machine.when("The machine or a filter cannot be inspected"),
      ExitCode.store.when("The installation or the state root cannot be read"),
      ExitCode.output.when("The output, page, attestation or key could not be written"),
      ExitCode.temporaryFailure.when("With --live: a signal stopped the command"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    if let path = parsed.value(of: AuditSigning.newKey) {
      do { try AuditKeys.create(path) } catch { throw CommandFailure(error) }
      console.note("darkroom: the private key is in \(path), the public key is in \(path).pub")
      return 0
    }
    let verified = try AuditSigning.verifiedAttestation(AuditSigning.verify, parsed)
    if let verified { return try verify(verified, parsed, console) }
    guard parsed.value(of: subject) != nil else {
      throw CommandFailure(.usage, "no extension or app was given; see 'darkroom audit --help'")
    }
    let since = try AuditSigning.verifiedAttestation(AuditSigning.since, parsed)
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = parsed.has(live) ? try SessionCommands.hostSignals(console) : nil
    let root = try CommonOptions.rootForReading(parsed, console)
    let named = try find(parsed.value(of: subject) ?? "", root)
    let collector = AuditEvidenceCollector(
      root,
      AdministrationFiles(environment: console.environment),
      attack: signals.map {
        let directory = AttackConfiguration.decoyDirectory(root)
        return AttackConfiguration(probes: parsed.value(of: probes), place: directory, signals: $0)
      }
    )
    let (evidence, found): ([AuditEvidence], [AuditPart])
    do { (evidence, found) = try collector.evidence(of: named) } catch { throw CommandFailure(error) }
    var parts = found
    if let since {
      for index in parts.indices { parts[index].sections.append(parts[index].changes(since: since)) }
    }
    let report = AuditReport(on: parsed.value(of: subject) ?? "", parts, root)
    var page: [UInt8]?
    if parsed.has(html) { page = Array(report.page.utf8) }
    try AuditSigning.write(report, page: page, evidence.map(\.subject.audited), parsed)
    if let path = parsed.value(of: html), let page {
      do {
        try OutputFile(path).write(page, mode: 0o644)
      } catch { throw CommandFailure(.output, "the HTML report could not be written: \(error)") }
    } else if parsed.has(CommonOptions.json) {
      console.print(report.json)
    } else {
      for line in report.lines { console.print(line) }
    }
    let isBroken = evidence.contains { ($0.attack?.count(.gotThrough) ?? 0) > 0 }
    return isBroken ? ExitCode.breach.rawValue : 0
  }

  /// Prints a verified attestation, and compares the named extensions with it.
  private static func verify(
    _ signed: AuditAttestation,
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> Int32 {
    var installed: [AuditAttestation.Extension] = []
    if let id = parsed.value(of: subject) {
      let named = try find(id, try CommonOptions.rootForReading(parsed, console))
      do { installed = try named.audited() } catch { throw CommandFailure(error) }
    }
    let holds = AuditSigning.print(signed, installed, parsed, console)
    return holds ? 0 : ExitCode.checkFailed.rawValue
  }

  /// Returns the app or extension with an ID.
  private static func find(_ id: String, _ root: StateRoot) throws(CommandFailure) -> AuditSubject {
    do { return try AuditSubject(id, in: root) } catch { throw CommandFailure(error) }
  }
}
