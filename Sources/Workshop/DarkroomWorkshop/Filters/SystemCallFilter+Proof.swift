// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import LaunchPlanning
internal import PolicyProof
internal import SandboxAudit

extension SystemCallFilter {
  /// Proves the properties of the filter, as `darkroom policy verify` does.
  ///
  /// The compiled programs of a policy are proved to have the effect of the policy and to keep every invariant: the compiled
  /// program, the pair that a launch installs to report refusals, and the programs for sessions without namespaces. A filter of
  /// another program is proved to keep every invariant.
  ///
  /// - Parameters:
  ///   - policy: A policy of which another program's filter is proved to have the effect, or `nil`.
  ///   - invariants: A document with further invariants, in the format of Darkroom's own, or `nil`.
  ///   - supervision: The answers of other processes.
  ///
  /// - Returns: The verdicts, in the order of the programs.
  ///
  /// - Throws: `HostError.argument` if the arguments do not fit the filter or the document is invalid, or `HostError.policy`
  ///   if the filter cannot be compiled.
  public func verify(
    expecting policy: CapturePolicy? = nil,
    invariants: [UInt8]? = nil,
    under supervision: Supervision = Supervision()
  ) async throws(HostError) -> [CapturePolicy.Verdict] {
    guard policy == nil || self.policy == nil else {
      throw HostError(
        argument: "a policy is only compared with a filter of another program; \(name) is a policy"
      )
    }
    let more = try Self.invariants(invariants)
    let (source, expected, known) = (source, policy?.resolved.policy, supervision.known)
    return try await Self.running { () throws(FilterSourceError) in
      let found = try FilterVerification(of: source, expecting: expected, more, under: known)
      return found.programs.flatMap { programs in
        programs.proof.claims.map { CapturePolicy.Verdict(programs.name, $0) }
      }
    }
  }

  /// Returns a certificate of the proof that the filter keeps every invariant, as `darkroom policy verify --certificate`
  /// writes it. A small independent program can check the certificate against the bytes of the compiled filter.
  ///
  /// - Parameters:
  ///   - invariants: A document with further invariants, or `nil`.
  ///   - supervision: The answers of other processes.
  ///
  /// - Returns: A JSON document.
  ///
  /// - Throws: `HostError.argument` if the document is invalid or the filter has several programs, or `HostError.policy` if
  ///   there is no certificate.
  public func certificate(
    invariants: [UInt8]? = nil,
    under supervision: Supervision = Supervision()
  ) async throws(HostError) -> String {
    let (source, more, known) = (source, try Self.invariants(invariants), supervision.known)
    return try await Self.running { () throws(FilterSourceError) in
      String(decoding: try FilterCertificate.text(source, more, known), as: UTF8.self)
    }
  }

  private static func invariants(_ document: [UInt8]?) throws(HostError) -> [Invariant] {
    guard let document else { return [] }
    do throws(InvariantError) {
      return try InvariantDocument(document, source: "invariants").invariants
    } catch { throw HostError(argument: "\(error)") }
  }
}
