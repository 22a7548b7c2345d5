// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import Digests
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SandboxAudit

/// The options of `darkroom audit` for signed reports.
enum AuditSigning {
  /// The option for the file to which an attestation is written.
  static let attest = OptionSpec.value(
    "attest",
    "FILE",
    .file,
    help: "Write a signed attestation of the report to FILE (with --key)"
  )
  /// The option for the private key that signs.
  static let key = OptionSpec.value("key", "FILE", .file, help: "Sign with this private key (Ed25519, PEM)")
  /// The option that creates a key pair.
  static let newKey = OptionSpec.value(
    "new-key",
    "FILE",
    .file,
    help: "Create a key pair: the private key in FILE, and the public key in FILE.pub"
  )
  /// The option for the attestation to verify.
  static let verify = OptionSpec.value(
    "verify",
    "FILE",
    .file,
    help: "Verify an attestation with --public-key, and compare the installation with it"
  )
  /// The option for the attestation with which the report is compared.
  static let since = OptionSpec.value(
    "since",
    "FILE",
    .file,
    help: "Report the changes since the attestation in FILE (with --public-key)"
  )
  /// The option for the public key that verifies.
  static let publicKey = OptionSpec.value(
    "public-key",
    "FILE",
    .file,
    help: "Verify with this public key (Ed25519, PEM)"
  )
  /// All options for signed reports.
  static let options = [attest, key, newKey, verify, since, publicKey]

  /// Returns the verified attestation that an option names, or `nil` if the option is not given.
  static func verifiedAttestation(_ option: OptionSpec, _ parsed: ParsedCommand) throws(CommandFailure)
    -> AuditAttestation?
  {
    guard let path = parsed.value(of: option) else { return nil }
    guard let key = parsed.value(of: publicKey) else {
      throw CommandFailure(
        .usage,
        "--\(option.long) requires the auditor's public key; add --public-key FILE"
      )
    }
    do { return try SignedAudit(at: path, publicKey: key).attestation } catch { throw CommandFailure(error) }
  }

  /// Writes a signed attestation, if requested. `page` is the HTML page of the report, or `nil` if none is
  /// written.
  static func write(
    _ report: AuditReport,
    page: [UInt8]?,
    _ extensions: [AuditAttestation.Extension],
    _ parsed: ParsedCommand
  ) throws(CommandFailure) {
    guard let path = parsed.value(of: attest) else { return }
    guard let keyPath = parsed.value(of: key) else {
      throw CommandFailure(
        .usage,
        "--attest requires a private key; add --key FILE, or create a key with --new-key FILE"
      )
    }
    let key: Ed25519PrivateKey
    do { key = try AuditKeys.privateKey(at: keyPath) } catch { throw CommandFailure(error) }
    let envelope: DSSEEnvelope
    do { envelope = try report.attestation(page: page, extensions, signedBy: key) } catch {
      throw CommandFailure(error)
    }
    do { try OutputFile(path).write(envelope.json.bytes(.indented), mode: 0o644) } catch {
      throw CommandFailure(.output, "the attestation could not be written: \(error)")
    }
  }

  /// Returns a verified attestation and the differences of the installed extensions as JSON.
  private static func json(
    _ signed: AuditAttestation,
    _ comparisons: [(id: String, differences: [AuditAttestation.Difference]?)]
  ) -> JSONValue {
    [
      "verified": true, "madeAt": .string(signed.createdAt), "statement": signed.statement,
      "installed": .array(
        comparisons.map { id, differences in
          [
            "extension": .string(id), "audited": .bool(differences != nil),
            "differences": .array(
              (differences ?? []).map {
                [
                  "part": .string($0.part.rawValue), "attested": .string($0.attested),
                  "found": .string($0.found),
                ]
              }
            ),
          ]
        }
      ),
    ]
  }

  /// Prints a verified attestation and the differences of the installed extensions. Returns whether there are
  /// no differences.
  static func print(
    _ signed: AuditAttestation,
    _ installed: [AuditAttestation.Extension],
    _ parsed: ParsedCommand,
    _ console: Console
  ) -> Bool {
    let comparisons = installed.map { (id: $0.id, differences: signed.differences(from: $0)) }
    let holds = comparisons.allSatisfy { $0.differences?.isEmpty ?? false }
    guard !parsed.has(CommonOptions.json) else {
      console.print(json(signed, comparisons))
      return holds
    }
    console.print(
      "The signature is valid. The report was created at \(TextTable.printable(signed.createdAt))."
    )
    for subject in signed.subjects {
      console.print(TextTable.printable("  sha256:\(subject.sha256)  \(subject.name)"))
    }
    for (id, differences) in comparisons {
      guard let differences else {
        console.print("\(id): not part of this attestation")
        continue
      }
      if differences.isEmpty { console.print("\(id): the installed extension matches the audit") }
      for each in differences {
        console.print(
          TextTable.printable(
            "\(id): \(each.part.rawValue) differs: attested \(each.attested), found \(each.found)"
          )
        )
      }
    }
    return holds
  }
}

extension CommandFailure {
  /// Creates the failure for an extension that does not satisfy the audit requirement.
  init(_ error: AuditRequirementError) {
    switch error {
    case .unreadable: self.init(.missing, "\(error)")
    case .parts: self.init(.store, "\(error)")
    case .tooLarge, .key, .attestation, .notAudited, .different, .administration: self.init(.data, "\(error)")
    }
  }

  /// Creates the failure for an error of a signing key.
  init(_ error: AuditKeyError) {
    let code: ExitCode =
      switch error {
      case .unreadable: .missing
      case .notPrivateKey: .data
      case .notWritten: .output
      case .library: .machine
      }
    self.init(code, "\(error)")
  }
}
