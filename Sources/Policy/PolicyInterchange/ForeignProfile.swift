// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// The contents of a file in an interchange format.
package struct ForeignProfile: Sendable {
  /// The filter, as rules or as a compiled program.
  package var content: Content
  /// The parts of the file that were not translated or are ambiguous.
  package var losses: [InterchangeLoss]
  /// The paths, devices and limits, or `nil` if the format does not specify them.
  package var resources: PolicyResources?

  /// The filter of a file.
  package enum Content: Sendable {
    /// A list of rules.
    case profile(CallProfile)
    /// A compiled BPF program.
    case program(FilterProgram)
  }

  /// Creates a value from existing rules.
  package init(_ profile: CallProfile) {
    content = .profile(profile)
    losses = []
  }

  /// Parses a file.
  ///
  /// A bwrap(1) command line that loads a filter needs ``init(bubblewrap:filter:)`` instead.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - format: The format of the file.
  ///   - merger: The library with which container runtimes compile JSON profiles.
  ///   - contents: Returns the text of a file that a minijail policy includes, or `nil` if the file cannot be
  ///     read.
  /// - Throws: ``InterchangeError`` if the file is invalid.
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
      profile.losses.removeAll { if case .overlappingActions = $0.kind { true } else { false } }
      (content, losses) = (.profile(profile.profile), profile.losses + remarks)
    case .bpf:
      (content, losses) = (.program(try Self.program(bytes)), [])
    case .minijail:
      let profile = try MinijailProfile(text: try Self.text(bytes), including: contents)
      (content, losses) = (.profile(profile.profile), profile.losses)
    case .systemd:
      let profile = try SystemdProfile(text: try Self.text(bytes))
      (content, losses) = (.profile(profile.profile), profile.losses)
    case .bwrap: self = try ForeignProfile(bubblewrap: bytes, filter: nil)
    }
  }

  /// Parses a bwrap(1) command line, and the compiled filter that it loads.
  ///
  /// - Throws: ``InterchangeError`` if the command line is invalid, or if only one of `--seccomp` and
  ///   `filter` is present.
  package init(bubblewrap bytes: [UInt8], filter: [UInt8]?) throws(InterchangeError) {
    let command = try BubblewrapCommand(text: try Self.text(bytes))
    switch (command.filterLocation, filter) {
    case (nil, nil): content = .profile(.unfiltered)
    case (.some, .some(let filter)): content = .program(try Self.program(filter))
    case (.some(let location), nil):
      throw InterchangeError(nil, .missing("the compiled filter of \(location) (--filter)"))
    case (nil, .some): throw InterchangeError(nil, .missing("--seccomp, the option for the filter,"))
    }
    losses = command.losses
    resources = command.resources
  }

  private static func program(_ bytes: [UInt8]) throws(InterchangeError) -> FilterProgram {
    do { return try FilterProgram(bytes: bytes) } catch {
      throw InterchangeError(nil, .invalidProgram("\(error)"))
    }
  }

  private static func text(_ bytes: [UInt8]) throws(InterchangeError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw InterchangeError(nil, .notUTF8) }
    return text
  }

  /// Returns the verdict for every call.
  package func behavior(in space: CallSpace) throws(AnalysisError) -> FilterBehavior {
    switch content {
    case .profile(let profile): try profile.behavior(in: space)
    case .program(let program): try space.behavior(of: program)
    }
  }
}
