// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A signed document in a DSSE envelope, version 1.
package struct DSSEEnvelope: Sendable, Hashable {
  /// The media type of the payload. The signature covers it, so a document cannot pass for one of another
  /// type.
  package var payloadType: String
  /// The signed document.
  package var payload: [UInt8]
  /// The signatures of the document.
  package var signatures: [Signature] = []

  /// A signature of ``signedBytes``.
  package struct Signature: Sendable, Hashable {
    /// The name of the key. It is not signed and is only a hint.
    package var keyID: String
    /// The bytes of the signature.
    package var bytes: [UInt8]

    /// Creates a signature from existing bytes.
    package init(keyID: String, bytes: [UInt8]) {
      self.keyID = keyID
      self.bytes = bytes
    }
  }

  /// Creates an envelope without a signature.
  package init(payloadType: String, payload: [UInt8]) {
    self.payloadType = payloadType
    self.payload = payload
  }

  /// The bytes that a signature covers (PAE, the pre-authentication encoding).
  package var signedBytes: [UInt8] {
    Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
  }

  /// The envelope as JSON.
  package var json: JSONValue {
    [
      "payloadType": .string(payloadType), "payload": .string(Base64.encode(payload)),
      "signatures": .array(
        signatures.map { ["keyid": .string($0.keyID), "sig": .string(Base64.encode($0.bytes))] }
      ),
    ]
  }

  /// Creates an envelope from JSON. Do not use the payload before a signature has been verified.
  package init(_ bytes: [UInt8]) throws(AttestationError) {
    let value: JSONValue
    do { value = try JSONNode.parse(bytes, limits: Self.limits).value } catch { throw .notJSON("\(error)") }
    guard let type = value["payloadType"]?.string else { throw .missing("payloadType") }
    guard let payload = value["payload"]?.string.flatMap(Base64.decode) else { throw .missing("payload") }
    self.init(payloadType: type, payload: payload)
    for element in value["signatures"]?.elements ?? [] {
      guard let bytes = element["sig"]?.string.flatMap(Base64.decode) else { throw .missing("sig") }
      signatures.append(Signature(keyID: element["keyid"]?.string ?? "", bytes: bytes))
    }
    guard !signatures.isEmpty else { throw .missing("signatures") }
  }

  /// The size limits of a file, so that large files from an attacker are not parsed.
  package static let limits = JSONLimits(bytes: 1 << 25, depth: 64)

  /// Returns the payload if at least one signature is valid.
  ///
  /// `isValid` returns whether a signature of a message was made with the trusted key.
  package func verifiedPayload(
    type: String,
    _ isValid: (_ message: [UInt8], _ signature: [UInt8]) -> Bool
  ) throws(AttestationError) -> [UInt8] {
    guard payloadType == type else { throw .wrongType(payloadType, expected: type) }
    let message = signedBytes
    guard signatures.contains(where: { isValid(message, $0.bytes) }) else { throw .wrongSignature }
    return payload
  }
}

/// An error that makes an attestation invalid.
package enum AttestationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file is not JSON.
  case notJSON(String)
  /// A member is missing or has an unexpected value.
  case missing(String)
  /// The document has another type.
  case wrongType(String, expected: String)
  /// No signature was made with the trusted key.
  case wrongSignature

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .notJSON(let reason):
      "not an attestation: \(reason); name a file that 'darkroom audit --attest' wrote"
    case .missing(let member):
      "not an attestation: '\(member)' is missing or damaged; name a file that 'darkroom audit --attest' wrote"
    case .wrongType(let type, let expected): "the document is of type '\(type)', not '\(expected)'"
    case .wrongSignature:
      "no signature was made with this key, or the file was changed; obtain the file and the key again from the auditor"
    }
  }
}
