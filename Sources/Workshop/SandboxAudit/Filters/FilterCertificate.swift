// SPDX-License-Identifier: Apache-2.0

internal import Digests
package import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
package import PolicyProof

/// The certificate of a proof, which an independent program can check.
package enum FilterCertificate {
  /// Returns the certificate of a filter that consists of one program, as a JSON document.
  package static func text(
    _ source: FilterSource,
    _ more: [Invariant],
    _ foreign: Supervision
  ) throws(FilterSourceError) -> [UInt8] {
    let programs = try source.programs()
    guard programs.count == 1 else {
      throw .notSingleProgram(kind: source.kind, count: programs.count)
    }
    let invariants: [Invariant]
    do { invariants = try FilterInspection.invariants() + more } catch { throw .machine(error) }
    let certificate: ProofCertificate
    do {
      certificate = try ProofCertificate(
        of: programs[0],
        invariants,
        under: source.supervision(foreign: foreign)
      )
    } catch { throw .noCertificate(error) }
    let digest: SHA256Digest
    do { digest = try SHA256Digest.of(programs[0].bytes) } catch { throw .machine(error) }
    return certificate.json(digest: "\(digest)").bytes(.compact)
  }

  /// Writes the certificate of a filter that consists of one program.
  package static func write(
    _ source: FilterSource,
    _ more: [Invariant],
    _ foreign: Supervision,
    to path: String
  ) throws(FilterSourceError) {
    let text = try text(source, more, foreign)
    do { try OutputFile(path).write(text, mode: 0o644) } catch { throw .notWritten(error) }
  }
}
