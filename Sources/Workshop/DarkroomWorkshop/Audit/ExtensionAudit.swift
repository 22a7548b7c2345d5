// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxAudit

/// The report with which an auditor signs off an extension, or an app with all its extensions.
public struct ExtensionAudit: Sendable {
  /// The ID of the extension or the app.
  public let id: String
  /// Whether no attempt got through the sandbox of a policy, or `nil` if no attempt was made.
  public let isIntact: Bool?
  let report: AuditReport
  let extensions: [AuditAttestation.Extension]

  /// The report, as lines of text.
  public var lines: [String] { report.lines }
  /// The report as JSON, in the format of `darkroom schema audit`.
  public var json: String { String(decoding: report.json.bytes(.indented), as: UTF8.self) }
  /// The report as a self-contained HTML page.
  public var html: String { report.page }

  /// Signs the report, and writes the attestation: an in-toto statement in a DSSE envelope, with the digests of the
  /// report, the HTML page, the bundle, the program, the manifest, the policy and the compiled filter.
  ///
  /// - Parameters:
  ///   - key: The path of the private key of the auditor (Ed25519, PEM).
  ///   - path: The path of the attestation.
  ///
  /// - Throws: `HostError.audit` if the key is invalid, or `HostError.system` if the file cannot be written.
  public func sign(with key: String, to path: String) async throws(HostError) {
    let audit = self
    try await HostThread.run { () throws(HostError) in
      let bytes: [UInt8]
      do throws(AuditKeyError) {
        bytes = try audit.report.attestation(
          page: Array(audit.html.utf8),
          audit.extensions,
          signedBy: AuditKeys.privateKey(at: key)
        ).json.bytes(.indented)
      } catch { throw HostError(error) }
      do throws(SystemCallError) { try FileSystem.replaceContents(path, with: bytes, mode: 0o644) } catch {
        throw HostError(error)
      }
    }
  }
}

/// The options of an audit.
public struct AuditOptions: Sendable, Hashable {
  /// Whether the policies are attacked (``DarkroomHost/DarkroomHost/attack(_:_:)``), too.
  public var attacks: Bool = false
  /// The path of the program `darkroom-probe`, as in ``AttackOptions/probe``.
  public var probe: String?
  /// A signed audit, since which the report lists the changes, or `nil` to list none.
  public var baseline: SignedAuditFile?

  /// Creates the options of an audit without attacks.
  public init() {}
}

/// A signed audit, and the key that verifies it.
public struct SignedAuditFile: Sendable, Hashable {
  /// The path of the attestation.
  public var attestation: String
  /// The path of the public key of the auditor (Ed25519, PEM).
  public var publicKey: String

  /// Names a signed audit.
  public init(attestation: String, publicKey: String) {
    (self.attestation, self.publicKey) = (attestation, publicKey)
  }
}

/// The content of a signed audit with a valid signature, and the differences of installed extensions from it.
public struct AuditVerification: Sendable, Hashable {
  /// The time at which the report was created, in the format of RFC 3339.
  public let createdAt: String
  /// The names of the signed files and of the parts of each extension, such as
  /// `org.example.camera.capture/executable`, and their SHA-256 digests in hexadecimal.
  public let files: [String: String]
  /// The installed extensions that were compared with the audit.
  public let extensions: [Extension]

  /// Whether all compared extensions match the audit.
  public var isMatch: Bool { extensions.allSatisfy { $0.isAudited && $0.differences.isEmpty } }

  /// An installed extension.
  public struct Extension: Sendable, Hashable {
    /// The ID of the extension.
    public let id: String
    /// Whether the extension is a part of the audit.
    public let isAudited: Bool
    /// The parts that differ from the audit.
    public let differences: [Difference]
  }

  /// A part of an extension that differs from the audit.
  public struct Difference: Sendable, Hashable {
    /// The part: `bundle`, `executable`, `manifest`, `policy` or `filter`.
    public let part: String
    /// The digest in the audit.
    public let attested: String
    /// The digest of the installed part.
    public let found: String
  }
}

/// The key pairs of auditors.
public enum AuditorKey {
  /// Creates a key pair: the private key in a file, and the public key in a file with the same path and the suffix
  /// `.pub`. Existing files are not replaced.
  ///
  /// - Throws: `HostError.audit` if a file cannot be written.
  public static func create(at path: String) async throws(HostError) {
    try await HostThread.run { () throws(HostError) in
      do throws(AuditKeyError) { try AuditKeys.create(path) } catch { throw HostError(error) }
    }
  }
}
