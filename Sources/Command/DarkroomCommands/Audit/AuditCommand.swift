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
    help: "Attack the policy as well, in every way that Darkroom knows of"
  )
  private static let probes = OptionSpec.value(
    "probes",
    "FILE",
    .file,
    help:
      "With --live: the darkroom-probe to use; else the one beside this program, or in ../libexec/darkroom"
  )
  private static let html = OptionSpec.value(
    "html",
    "FILE",
    .file,
    help: "Write the report to FILE, as a page that needs nothing else, and print nothing"
  )
  private static let subject = ArgumentSpec(
    "EXT|APP",
    .optional,
    help: "The id of an extension, or of an app with all its extensions"
  )

  package static let spec = CommandSpec(
    "audit",
    summary: "Report on an extension for a person who has to sign it off",
    discussion: """
      The report says what the extension is, what it asks for, what its policy lets it do in plain words, what of that is \
      enforced on this machine, what a check of the policy finds, how much of the kernel it reaches beside other sandboxes, \
      and what its sessions have done. Nothing is scored. A sandbox is made to see what it is made of; the extension itself \
      is not run.

      With --attest the report is signed: an in-toto statement in a DSSE envelope, about the digests of report, bundle, \
      program, manifest, policy and compiled filter. --verify checks such a file and compares what is installed with it; \
      --since reports what has changed. 'darkroom run --require-audit' launches only what was audited.
      """,
    options: [live, html, probes] + AuditSigning.options,
    arguments: [subject],
    examples: [
      ExampleSpec("darkroom audit org.example.camera.capture", "Read the report in a terminal"),
      ExampleSpec(
        "darkroom audit org.example.camera --live --html report.html",
        "Attack the policies, too, and write a page to print"
      ),
      ExampleSpec(
        "darkroom audit org.example.camera --attest camera.json --key auditor.key",
        "Sign the report"
      ),
      ExampleSpec(
        "darkroom audit org.example.camera --verify camera.json --public-key auditor.key.pub",
        "Compare what is installed with a signed report"
      ),
    ],
    exitCodes: [
      ExitCodeSpec(
        "0",
        "The report was made, whatever it says; with --verify: everything is as it was audited"
      ),
      ExitCodeSpec(
        "\(ExitCode.checkFailed.rawValue)",
        "With --verify: what is installed is not what was audited"
      ),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "A signature or a key is wrong"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such extension or app"),
      ExitCodeSpec("\(ExitCode.breach.rawValue)", "With --live: an attempt got through"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The machine could not be looked at"),
      ExitCodeSpec("\(ExitCode.output.rawValue)", "The page could not be written"),
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
        let directory = AttackCommand.decoyDirectory(root)
        return AttackConfiguration(probes: parsed.value(of: probes), place: directory, signals: $0)
      }
    )
    let (evidence, found) = try evidence(of: named, collector)
    var parts = found
    if let since {
      for index in parts.indices { parts[index].sections.append(parts[index].changes(since: since)) }
    }
    let report = AuditReport.of(parsed.value(of: subject) ?? "", parts, root)
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

  /// Returns the evidence about the extensions of a subject, and the parts of the report about it.
  private static func evidence(
    of subject: Subject,
    _ collector: AuditEvidenceCollector
  ) throws(CommandFailure) -> (evidence: [AuditEvidence], parts: [AuditPart]) {
    do throws(AuditEvidenceError) {
      var evidence: [AuditEvidence] = []
      for each in subject.extensions { evidence.append(try collector.evidence(each)) }
      var parts = evidence.map(\.part)
      if case .app(let app) = subject {
        parts.insert(.of(app, digest: try AuditEvidenceCollector.bundleDigest(app.bundlePath)), at: 0)
      }
      return (evidence, parts)
    } catch { throw CommandFailure(error) }
  }

  /// Prints a verified attestation, and compares the named extensions with it.
  private static func verify(
    _ signed: AuditAttestation,
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> Int32 {
    var installed: [AuditAttestation.Extension] = []
    if let id = parsed.value(of: subject) {
      for each in try find(id, try CommonOptions.rootForReading(parsed, console)).extensions {
        do throws(AuditEvidenceError) {
          let policy = try AuditEvidenceCollector.policy(of: each)
          installed.append(try AuditEvidenceCollector.audited(each, policy))
        } catch { throw CommandFailure(error) }
      }
    }
    let holds = AuditSigning.print(signed, installed, parsed, console)
    return holds ? 0 : ExitCode.checkFailed.rawValue
  }

  /// The subject of an audit.
  private enum Subject {
    /// An app with all its extensions.
    case app(InstalledApp)
    /// One extension.
    case one(InstalledExtension)

    /// The extensions of the subject.
    var extensions: [InstalledExtension] {
      switch self {
      case .app(let app): app.extensions
      case .one(let found): [found]
      }
    }
  }

  /// Returns the app or extension with an ID.
  private static func find(_ id: String, _ root: StateRoot) throws(CommandFailure) -> Subject {
    let catalog = root.catalog
    let app = try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in try catalog.app(id) }
    if let app { return .app(app) }
    return .one(try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in try catalog.find(id) })
  }
}

extension AuditReport {
  /// Creates the report on some extensions.
  static func of(_ subject: String, _ parts: [AuditPart], _ root: StateRoot) -> AuditReport {
    AuditReport(
      title: "Audit of \(subject)",
      made: [
        AuditFact("made at", WallClock.text(milliseconds: WallClock.milliseconds)),
        AuditFact("by", "darkroom \(DarkroomCommandLine.version)"),
        AuditFact("kernel", "\(KernelRelease.running)"),
        AuditFact("user", "\(CurrentProcess.effectiveUserID)"),
        AuditFact("state root", root.path),
      ],
      parts: parts
    )
  }
}
