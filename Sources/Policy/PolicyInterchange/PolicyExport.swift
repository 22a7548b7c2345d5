// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import JSONText
package import SandboxPolicy

/// A policy written in another format, with everything that the format does not say.
package struct PolicyExport: Sendable {
  /// The file.
  package var contents: [UInt8]
  /// What it does not say.
  package var losses: [InterchangeLoss]

  /// Writes a policy; what is written is read again, and what it allows is compared with the policy, exactly.
  ///
  /// `filter` is the policy's compiled filter, which is the whole of ``InterchangeFormat/bpf``.
  /// `merger` is the library of the container runtime that loads profiles in JSON.
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
    losses.append(InterchangeLoss("", .outsideFilter(Self.outside(format)), .weaker))
    do {
      let space = CallSpace()
      let original = try CallProfile(policy).behavior(in: space)
      let result = try ForeignProfile(contents, as: format, merging: merger).behavior(in: space)
      let comparison = try AllowanceComparison(
        original: original,
        under: .unknown,
        result: result,
        unreadBits: .stricter
      )
      losses += try comparison.losses() + comparison.answers()
    } catch let error as AnalysisError { throw .analysis(error) } catch let error as InterchangeError {
      throw .unreadable(error)
    } catch { preconditionFailure("nothing else is thrown: \(error)") }
  }

  /// Why there is no file.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    /// The exact analysis came to no end.
    case analysis(AnalysisError)
    /// The reader takes no file of this length.
    case tooLong(MinijailSizeError)
    /// What was written cannot be read.
    case unreadable(InterchangeError)

    /// A sentence.
    package var description: String {
      switch self {
      case .analysis(let error): "\(error)"
      case .tooLong(let error): "\(error)"
      case .unreadable(let error): "what was written cannot be read again: \(error)"
      }
    }
  }

  /// What else of a session the format does not have.
  private static func outside(_ format: InterchangeFormat) -> String {
    let rest = "Landlock, the root with its paths and devices, and the limits of a session"
    return switch format {
    case .systemd: "the drop-in has a network of its own and the limits that systemd has, and not \(rest)"
    case .oci, .bpf, .minijail, .bwrap: "the file is about calls, and has not \(rest)"
    }
  }
}
