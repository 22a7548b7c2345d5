// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
package import LinuxPrimitives

/// A passcode for Darkroom, stored as a salted scrypt digest in a file that only its owner can read.
package struct Passcode: Sendable {
  /// The minimum length of a passcode, in bytes.
  package static let minimum = 4

  private let paths: AuthenticationPaths
  private let work: ScryptParameters

  /// Creates access to the passcode of a state root.
  package init(_ paths: AuthenticationPaths) { self.init(paths, work: .standard) }

  init(_ paths: AuthenticationPaths, work: ScryptParameters) {
    self.paths = paths
    self.work = work
  }

  /// Whether a passcode is set, or the existence of its file cannot be ruled out.
  package var isSet: Bool { (try? FileSystem.status(paths.passcodeFile)) != .some(nil) }

  /// Sets the passcode durably.
  package func set(_ secret: borrowing SecretBytes) throws(AuthenticationError) {
    guard secret.count >= Self.minimum else { throw .tooShort(minimum: Self.minimum) }
    let salt = Randomness.bytes(32)
    let digest: [UInt8]
    do {
      digest = try secret.withBytes { bytes throws(DigestError) in
        try Scrypt.digest(of: bytes, salt: salt, work: work)
      }
    } catch { throw .digest(error) }
    do { try paths.prepare() } catch { throw .system(error) }
    try PrivateDocument.write(json(salt, digest), to: paths.passcodeFile)
  }

  /// Removes the passcode. It is not an error if none is set.
  package func clear() throws(AuthenticationError) {
    do {
      try FileSystem.unlink(paths.passcodeFile)
      try FileSystem.synchronizeDirectory(paths.directory)
    } catch {
      if error.errno != .noSuchFile { throw .system(error) }
    }
  }

  /// Returns whether the passcode matches, or `nil` if none is set. The duration does not depend on the
  /// number of matching bytes.
  func matches(_ secret: borrowing SecretBytes) throws(AuthenticationError) -> Bool? {
    guard let value = try PrivateDocument.read(paths.passcodeFile) else { return nil }
    guard let stored = Stored(value) else { throw .damaged(path: paths.passcodeFile) }
    do {
      let digest = try secret.withBytes { bytes throws(DigestError) in
        try Scrypt.digest(of: bytes, salt: stored.salt, work: stored.work, bytes: stored.digest.count)
      }
      return Scrypt.constantTimeEqual(digest, stored.digest)
    } catch { throw .digest(error) }
  }

  private func json(_ salt: [UInt8], _ digest: [UInt8]) -> JSONValue {
    [
      "version": 1, "algorithm": "scrypt", "costExponent": .integer(Int64(work.costExponent)),
      "blockSize": .integer(Int64(work.blockSize)), "parallelization": .integer(Int64(work.parallelization)),
      "salt": .string(hexadecimalText(salt)), "digest": .string(hexadecimalText(digest)),
    ]
  }

  /// The content of the passcode file.
  private struct Stored {
    let work: ScryptParameters
    let salt: [UInt8]
    let digest: [UInt8]

    /// Creates the content from JSON, or returns `nil` if the algorithm is unknown or the work parameters are
    /// too low.
    init?(_ value: JSONValue) {
      guard value["version"] == 1, value["algorithm"] == "scrypt",
        let exponent = value["costExponent"]?.integer, let size = value["blockSize"]?.integer,
        let lanes = value["parallelization"]?.integer,
        let work = ScryptParameters(
          costExponent: Int(clamping: exponent),
          blockSize: Int(clamping: size),
          parallelization: Int(clamping: lanes)
        ),
        let salt = Self.bytes(value["salt"]), let digest = Self.bytes(value["digest"])
      else { return nil }
      self.work = work
      self.salt = salt
      self.digest = digest
    }

    /// Returns 32 bytes from hexadecimal digits.
    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
      guard let digits = value?.string?.utf8, digits.count == 64 else { return nil }
      let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map { UInt8($0) } }
      guard values.count == 64 else { return nil }
      return (0..<32).map { values[2 * $0] << 4 | values[2 * $0 + 1] }
    }
  }
}

/// Authentication by passcode.
struct PasscodeMethod: AuthenticationMethod {
  /// The stored passcode.
  let passcode: Passcode

  var unavailabilityReason: String? {
    passcode.isSet ? nil : "no passcode is set; set a passcode with 'darkroom passcode set'"
  }

  func decide(_ context: AuthenticationContext) -> AuthenticationOutcome {
    if let unavailabilityReason { return .unavailable(unavailabilityReason) }
    guard let prompt = context.prompt else {
      return .unavailable("the user cannot be prompted for the passcode; start darkroom from a terminal")
    }
    let question = PromptQuestion("Passcode: ", reason: context.reason)
    switch prompt.ask(question, context.timeout) {
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut
    case .unavailable(let reason): return .unavailable(reason)
    case .secret(let secret):
      if let refusal = context.charge() { return refusal }
      do {
        guard let matches = try passcode.matches(secret) else {
          return .unavailable("the passcode was cleared")
        }
        return matches ? .succeeded : .failed
      } catch { return .unavailable("\(error)") }
    }
  }
}
