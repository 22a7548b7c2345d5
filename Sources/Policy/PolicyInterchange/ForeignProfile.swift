// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// What a file of some format says of calls.
package struct ForeignProfile: Sendable {
  /// What it says: as rules, or as the program that it is.
  package var meaning: Meaning
  /// What it says beside, or not clearly.
  package var losses: [InterchangeLoss]
  /// What it says beside calls; nil: its format says nothing of that.
  package var surroundings: PolicySurroundings?

  /// What a file says.
  package enum Meaning: Sendable {
    /// Rules.
    case profile(CallProfile)
    /// A program.
    case program(FilterProgram)
  }

  /// Rules that were read elsewhere.
  package init(_ profile: CallProfile) {
    meaning = .profile(profile)
    losses = []
  }

  /// Reads a file. A command line of bwrap(1) that loads a filter is not all that there is to read: see
  /// ``init(bubblewrap:filter:)``.
  ///
  /// `merger` is the library of the container runtime that loads profiles in JSON, and `contents` returns the text of a file
  /// that a policy of minijail includes, or `nil` if the file cannot be read.
  package init(
    _ bytes: [UInt8],
    as format: InterchangeFormat,
    merging merger: RuleMerger,
    including contents: @escaping (String) -> String? = { _ in nil }
  ) throws(InterchangeError) {
    switch format {
    case .oci:
      var profile = try OCIProfile(bytes: bytes)
      let remarks = try profile.profile.merge(by: merger)
      profile.losses.removeAll { if case .overlappingActions = $0.matter { true } else { false } }
      (meaning, losses) = (.profile(profile.profile), profile.losses + remarks)
    case .bpf:
      (meaning, losses) = (.program(try Self.program(bytes)), [])
    case .minijail:
      let profile = try MinijailProfile(text: try Self.text(bytes), including: contents)
      (meaning, losses) = (.profile(profile.profile), profile.losses)
    case .systemd:
      let profile = try SystemdProfile(text: try Self.text(bytes))
      (meaning, losses) = (.profile(profile.profile), profile.losses)
    case .bwrap: self = try ForeignProfile(bubblewrap: bytes, filter: nil)
    }
  }

  /// Reads a command line of bwrap(1) and the filter that it loads, if it loads one.
  package init(bubblewrap bytes: [UInt8], filter: [UInt8]?) throws(InterchangeError) {
    let command = try BubblewrapCommand(text: try Self.text(bytes))
    switch (command.filterPlace, filter) {
    case (nil, nil): meaning = .profile(.unfiltered)
    case (.some, .some(let filter)): meaning = .program(try Self.program(filter))
    case (.some(let place), nil):
      throw InterchangeError(nil, .missing("the compiled filter of \(place) (--filter)"))
    case (nil, .some): throw InterchangeError(nil, .missing("--seccomp, for which there is a filter,"))
    }
    losses = command.losses
    surroundings = command.surroundings
  }

  private static func program(_ bytes: [UInt8]) throws(InterchangeError) -> FilterProgram {
    do { return try FilterProgram(bytes: bytes) } catch { throw InterchangeError(nil, .program("\(error)")) }
  }

  private static func text(_ bytes: [UInt8]) throws(InterchangeError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw InterchangeError(nil, .notText) }
    return text
  }

  /// What becomes of every call.
  package func behavior(in space: CallSpace) throws(AnalysisError) -> FilterBehavior {
    switch meaning {
    case .profile(let profile): try profile.behavior(in: space)
    case .program(let program): try space.behavior(of: program)
    }
  }
}
