// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import JSONText
package import SandboxPolicy

/// A policy converted to another format, with everything that the format cannot express.
package struct PolicyExport: Sendable {
  /// The contents of the file.
  package var contents: [UInt8]
  /// The parts of the policy that the file lacks.
  package var losses: [InterchangeLoss]

  /// Writes a policy in a format, parses the result, and compares the allowed calls of both exactly.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - format: The format.
  ///   - filter: The compiled filter of the policy, which is the result for ``InterchangeFormat/bpf``.
  ///   - merger: The library with which container runtimes compile JSON profiles.
  /// - Throws: ``Failure`` if the policy cannot be exported or compared.
  package init(
    _ policy: ResolvedPolicy,
    as format: InterchangeFormat,
    filter: [UInt8],
    merging merger: RuleMerger
  ) throws(Failure) {
    switch format {
    case .oci:
      let written = OCIWriter.write(CallProfile(policy))
      (contents, losses) = (written.document.bytes(.indented), written.losses)
    case .bpf: (contents, losses) = (filter, [])
    case .minijail:
      do {
        let written = try MinijailWriter.write(policy)
        (contents, losses) = (Array(written.text.utf8), written.losses)
      } catch { throw .tooLong(error) }
    case .systemd: (contents, losses) = (Array(SystemdWriter.write(policy).utf8), [])
    case .bwrap:
      let written = BubblewrapScript.write(policy)
      (contents, losses) = (Array(written.text.utf8), written.losses)
      return
    }
    losses.append(InterchangeLoss("", .outsideFilter(Self.missingProtections(format)), .weaker))
    do {
      let space = CallSpace()
      let original = try CallProfile(policy).behavior(in: space)
      let result = try ForeignProfile(contents, as: format, merging: merger).behavior(in: space)
      let comparison = try AllowanceComparison(
        original: original,
        under: .unknown,
        result: result,
        unreadBitsConsequence: .stricter
      )
      losses += try comparison.losses() + comparison.answers()
    } catch let error as AnalysisError { throw .analysis(error) } catch let error as InterchangeError {
      throw .unreadable(error)
    } catch { preconditionFailure("nothing else is thrown: \(error)") }
  }

  /// A reason why an export failed.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    /// The exact analysis exceeded its limits.
    case analysis(AnalysisError)
    /// The program that reads the format does not accept a file of this length.
    case tooLong(MinijailSizeError)
    /// The written file cannot be parsed.
    case unreadable(InterchangeError)

    /// The reason as text.
    package var description: String {
      switch self {
      case .analysis(let error): "\(error)"
      case .tooLong(let error): "\(error)"
      case .unreadable(let error): "the written file cannot be read back: \(error)"
      }
    }
  }

  /// Returns the other protections of a session that the format lacks.
  private static func missingProtections(_ format: InterchangeFormat) -> String {
    let rest = "Landlock, the root with its paths and devices, and the limits of a session"
    return switch format {
    case .systemd:
      "the drop-in contains a private network and the limits that systemd supports, but not \(rest)"
    case .oci, .bpf, .minijail, .bwrap: "the file contains only system calls, not \(rest)"
    }
  }
}
