// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import Digests
internal import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyProof

/// The certificate of a proof, which an independent program can check.
enum FilterCertificate {
  /// Writes the certificate of a filter that consists of one program.
  static func write(
    _ source: FilterSource,
    _ more: [Invariant],
    _ foreign: Supervision,
    to path: String
  ) throws(CommandFailure) {
    let programs = try source.programs()
    guard programs.count == 1 else {
      throw CommandFailure(
        .usage,
        "--certificate is about one program; a \(source.kind) has \(programs.count)"
      )
    }
    let invariants: [Invariant]
    do { invariants = try FilterInspection.invariants() + more } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    let certificate: ProofCertificate
    do {
      certificate = try ProofCertificate(
        of: programs[0],
        invariants,
        under: source.supervision(foreign: foreign)
      )
    } catch { throw CommandFailure(.unavailable, "there is no certificate: \(error)") }
    let digest: SHA256Digest
    do { digest = try SHA256Digest.of(programs[0].bytes) } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    do {
      try OutputFile(path).write(certificate.json(digest: "\(digest)").bytes(.compact), mode: 0o644)
    } catch {
      throw CommandFailure(.output, "the certificate could not be written: \(error)")
    }
  }
}
