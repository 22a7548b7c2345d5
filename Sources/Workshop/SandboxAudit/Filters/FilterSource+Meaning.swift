// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import FilterAnalysis
internal import LaunchPlanning
internal import PolicyInterchange
package import SandboxPolicy

extension FilterSource {
  /// The kind of the filter, as text.
  package var kind: String {
    switch self {
    case .policy: "policy"
    case .program: "compiled filter"
    case .profile(_, let format): format.displayName
    case .process(_, let programs): "process with \(programs.count) filter\(programs.count == 1 ? "" : "s")"
    case .stack(let sources): "stack of \(sources.count) filters"
    }
  }

  /// The remarks about parts of a file that do not concern calls or that are interpreted under an assumption.
  package var remarks: [String] {
    switch self {
    case .profile(let profile, _): profile.losses.map(\.description)
    case .stack(let sources): sources.flatMap(\.remarks)
    case .policy, .program, .process: []
    }
  }

  /// The policy, or `nil` if the filter is not a Darkroom policy.
  package var policy: ResolvedPolicy? {
    if case .policy(let found) = self { found.policy } else { nil }
  }

  /// Whether every supervisor is the host of a session, which refuses every call.
  private var isSupervisedByHost: Bool {
    switch self {
    case .policy: true
    case .stack(let sources): sources.allSatisfy(\.isSupervisedByHost)
    case .program, .profile, .process: false
    }
  }

  /// Returns the known answers of the processes that answer on behalf of the filter. `foreign` is the
  /// auditor's statement.
  package func supervision(foreign: Supervision) -> Supervision {
    isSupervisedByHost ? .notificationsRefused : foreign
  }

  /// Returns the behavior of the filter for every call.
  ///
  /// A profile behaves as its author wrote it. A policy behaves as its compiled filter.
  package func behavior(in space: CallSpace, name: String) throws(FilterSourceError) -> FilterBehavior {
    do {
      switch self {
      case .policy(let found): return try space.behavior(of: try Self.compile(found.policy))
      case .program(let program): return try space.behavior(of: program)
      case .profile(let profile, _): return try profile.behavior(in: space)
      case .process(_, let programs): return try space.behavior(ofStack: programs)
      case .stack(let sources):
        var result = try space.behavior(.allow)
        for source in sources { result = try source.behavior(in: space, name: name).stackedOn(result) }
        return result
      }
    } catch let failure as FilterSourceError { throw failure } catch {
      throw .analysis(name: name, error)
    }
  }
}

extension InterchangeFormat {
  /// The name of a file in the format, as text.
  fileprivate var displayName: String {
    switch self {
    case .oci: "seccomp profile"
    case .bpf: "compiled filter"
    case .minijail: "policy of minijail"
    case .systemd: "drop-in of systemd"
    case .bwrap: "script for bwrap"
    }
  }
}
