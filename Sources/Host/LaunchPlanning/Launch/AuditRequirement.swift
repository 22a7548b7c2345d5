// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import Digests
internal import JSONText
package import LinuxPrimitives
package import SessionStore

/// A signed audit that must match an extension before it is launched.
package struct AuditRequirement: Sendable, Hashable {
  /// The path of the attestation.
  package var attestation: String
  /// The path of the auditor's public key.
  package var publicKey: String

  /// Creates a requirement from the paths of the two files.
  package init(attestation: String, publicKey: String) {
    self.attestation = attestation
    self.publicKey = publicKey
  }

  /// Creates the administrator's requirement for an extension: an attestation `ID.json` in a directory.
  package init(_ rule: Administration.AuditRule, _ installed: InstalledExtension) {
    self.init(attestation: "\(rule.directory)/\(installed.manifest.id).json", publicKey: rule.key)
  }

  /// Checks that the attestation is signed with the key and matches all inputs of the extension's sessions.
  ///
  /// - Throws: An error with the first difference, or the reason why the attestation is not valid.
  package func check(_ installed: InstalledExtension, _ found: FoundPolicy) throws(AuditRequirementError) {
    let audited = try SignedAudit(at: attestation, publicKey: publicKey).attestation
    let id = installed.manifest.id
    let parts: AuditAttestation.Extension
    do { parts = try AuditAttestation.Extension(installed, found) } catch { throw .parts(id, error) }
    guard let differences = audited.differences(from: parts) else { throw .notAudited(id, path: attestation) }
    if let first = differences.first { throw .different(id, first, path: attestation) }
  }
}

/// An attestation whose signature was verified.
package struct SignedAudit: Sendable {
  /// The auditor's statement.
  package let attestation: AuditAttestation

  /// The maximum size of a public key file, in bytes.
  private static let keyLimit = 4096

  /// Creates an audit from a file after verifying its signature with a public key.
  package init(at path: String, publicKey: String) throws(AuditRequirementError) {
    let text = try Self.contents(publicKey, limit: Self.keyLimit)
    guard let key = SigningKeyText.decode(String(decoding: text, as: UTF8.self), .publicKey) else {
      throw .key(path: publicKey)
    }
    let bytes = try Self.contents(path, limit: DSSEEnvelope.limits.bytes)
    let verifier = Ed25519PublicKey(bytes: key)
    do {
      let envelope = try DSSEEnvelope(bytes)
      let payload = try envelope.verifiedPayload(type: AuditAttestation.payloadType) { message, signature in
        verifier.verifies(signature, of: message)
      }
      attestation = try AuditAttestation(verified: payload)
    } catch { throw .attestation(path: path, error) }
  }

  private static func contents(_ path: String, limit: Int) throws(AuditRequirementError) -> [UInt8] {
    let bytes: [UInt8]?
    do { bytes = try FileSystem.contents(path, limit: limit) } catch { throw .unreadable(error) }
    guard let bytes else { throw .tooLarge(path: path) }
    return bytes
  }
}

/// A reason why an extension does not meet an audit requirement.
package enum AuditRequirementError: Error, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case unreadable(SystemCallError)
  /// A file is too large.
  case tooLarge(path: String)
  /// The file is not a public key.
  case key(path: String)
  /// The attestation is not valid.
  case attestation(path: String, AttestationError)
  /// A digest of the extension could not be computed.
  case parts(String, AuditedPartsError)
  /// The attestation does not include the extension.
  case notAudited(String, path: String)
  /// A part of the extension differs from the audited one.
  case different(String, AuditAttestation.Difference, path: String)
  /// The administrator's configuration cannot be used.
  case administration(AdministrationFault)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .unreadable(let error):
      "the required audit cannot be read: \(error); write it with 'darkroom audit --attest'"
    case .tooLarge(let path): "\(path): larger than any attestation or key; name another file"
    case .key(let path):
      "\(path): not an Ed25519 public key in PEM; name the file that 'darkroom audit --new-key' wrote"
    case .attestation(let path, let error): "\(path): \(error)"
    case .parts(let id, let error): "\(id): the digests cannot be computed: \(error)"
    case .notAudited(let id, let path):
      "\(id): not included in the attestation \(path); audit the extension, and require the new attestation"
    case .different(let id, let difference, let path):
      "\(id): the \(difference.part.rawValue) differs from the attestation \(path) (attested \(difference.attested), "
        + "found \(difference.found)); audit the extension again, or install the audited version"
    case .administration(let fault): "\(fault)"
    }
  }
}
