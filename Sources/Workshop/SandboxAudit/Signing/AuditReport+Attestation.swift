// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import JSONText
package import LaunchPlanning

extension AuditReport {
  /// Returns the signed attestation of the report: an in-toto statement in a DSSE envelope.
  ///
  /// - Parameters:
  ///   - page: The HTML page of the report, or `nil` if none is written.
  ///   - extensions: The digests of the audited extensions.
  ///   - key: The key of the auditor.
  /// - Returns: The envelope with its signature.
  /// - Throws: An `AuditKeyError` if the report cannot be signed.
  package func attestation(
    page: [UInt8]?,
    _ extensions: [AuditAttestation.Extension],
    signedBy key: Ed25519PrivateKey
  ) throws(AuditKeyError) -> DSSEEnvelope {
    do {
      let json = json
      var files = [AuditAttestation.Subject("report.json", try Self.digest(json.bytes(.indented)))]
      if let page { files.append(.init("report.html", try Self.digest(page))) }
      let attestation = AuditAttestation(
        createdAt: provenance.first { $0.name == "made at" }?.value ?? "",
        files: files,
        extensions: extensions,
        report: json
      )
      var envelope = DSSEEnvelope(
        payloadType: AuditAttestation.payloadType,
        payload: attestation.statement.bytes(.compact)
      )
      let signature = try key.signature(of: envelope.signedBytes)
      envelope.signatures = [.init(keyID: try AuditKeys.keyID(of: key.publicKey), bytes: signature)]
      return envelope
    } catch let error as AuditKeyError { throw error } catch { throw .library(error) }
  }

  private static func digest(_ bytes: [UInt8]) throws(DigestError) -> String {
    "\(try SHA256Digest.of(bytes))"
  }
}
