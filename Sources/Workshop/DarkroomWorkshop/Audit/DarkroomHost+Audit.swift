// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
public import DarkroomHost
internal import LaunchPlanning
internal import PolicyTrials
internal import SandboxAudit
internal import SessionStore

extension DarkroomHost {
  /// Collects everything that an auditor needs to sign off an installed extension, as `darkroom audit` does: the
  /// requests of the extension, its policy, the enforcement on this machine, the findings about the policy, the
  /// reachable part of the kernel, and the sessions of the extension.
  ///
  /// A sandbox is created to examine its layers; the extension is not run. If the task is cancelled, an attack stops.
  ///
  /// - Parameters:
  ///   - id: The ID of an installed extension, or of an installed app with all its extensions.
  ///   - options: Whether the policies are attacked, and the audit to compare with.
  ///
  /// - Returns: The report.
  ///
  /// - Throws: `HostError.notInstalled` if neither an extension nor an app has the ID, `HostError.audit` if the signed
  ///   audit of the options is invalid, or the reason why a part of the evidence cannot be collected.
  public func audit(
    _ id: String,
    _ options: AuditOptions = AuditOptions()
  ) async throws(HostError) -> ExtensionAudit {
    let (root, administration) = (stateRoot, administration)
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      let baseline = try options.baseline?.read()
      let subject = try Self.subject(id, root)
      let attack = AttackConfiguration(
        probes: options.probe,
        place: AttackConfiguration.decoyDirectory(root),
        signals: signals
      )
      let collector = AuditEvidenceCollector(root, administration, attack: options.attacks ? attack : nil)
      do throws(AuditEvidenceError) {
        var (evidence, parts) = try collector.evidence(of: subject)
        if let baseline {
          for index in parts.indices { parts[index].sections.append(parts[index].changes(since: baseline)) }
        }
        let summaries = evidence.compactMap(\.attack)
        return ExtensionAudit(
          id: id,
          isIntact: options.attacks ? summaries.allSatisfy { $0.count(.gotThrough) == 0 } : nil,
          report: AuditReport(on: id, parts, root),
          extensions: evidence.map(\.subject.audited)
        )
      } catch { throw HostError(error) }
    }
  }

  /// Verifies the signature of an audit, and compares installed extensions with it, as `darkroom audit --verify` does.
  ///
  /// - Parameters:
  ///   - audit: The signed audit.
  ///   - id: The ID of an installed extension or app to compare, or `nil` to compare none.
  ///
  /// - Returns: The content of the audit, and the differences of the extensions.
  ///
  /// - Throws: `HostError.audit` if the signature or a file is invalid, or `HostError.notInstalled` if neither an
  ///   extension nor an app has the ID.
  public func verify(
    _ audit: SignedAuditFile,
    for id: String? = nil
  ) async throws(HostError) -> AuditVerification {
    let root = stateRoot
    return try await HostThread.run { () throws(HostError) in
      let signed = try audit.read()
      var installed: [AuditAttestation.Extension] = []
      if let id {
        let subject = try Self.subject(id, root)
        do throws(AuditEvidenceError) { installed = try subject.audited() } catch { throw HostError(error) }
      }
      return AuditVerification(signed, installed)
    }
  }

  private static func subject(_ id: String, _ root: StateRoot) throws(HostError) -> AuditSubject {
    do throws(CatalogError) { return try AuditSubject(id, in: root) } catch { throw HostError(error) }
  }
}

extension SignedAuditFile {
  /// Returns the content of the audit after verifying its signature.
  fileprivate func read() throws(HostError) -> AuditAttestation {
    do throws(AuditRequirementError) {
      return try SignedAudit(at: attestation, publicKey: publicKey).attestation
    } catch { throw .audit(.init("\(error)")) }
  }
}

extension AuditVerification {
  /// Creates a verification from an audit and the installed extensions.
  fileprivate init(_ signed: AuditAttestation, _ installed: [AuditAttestation.Extension]) {
    createdAt = signed.createdAt
    files = Dictionary(signed.subjects.map { ($0.name, $0.sha256) }) { first, _ in first }
    extensions = installed.map { found in
      let differences = signed.differences(from: found)
      return Extension(
        id: found.id,
        isAudited: differences != nil,
        differences: (differences ?? []).map { difference in
          Difference(part: difference.part.rawValue, attested: difference.attested, found: difference.found)
        }
      )
    }
  }
}
