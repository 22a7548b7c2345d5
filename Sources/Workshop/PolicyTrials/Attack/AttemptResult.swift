// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The result of one run of the probe, before it is evaluated.
package struct ProbeRun: Sendable, Hashable {
  /// The exit status, or `nil` if the probe was terminated at its deadline.
  package var status: ExitStatus?
  /// The output of the probe, usually with the name of an errno at its end.
  package var text: String
  /// The system calls that the filter refused and reported, each name once, in order of their first
  /// occurrence.
  package var refusedCalls: [String]
  /// The protection whose change also changed the probe's answer, or `nil` if there is none or no experiment
  /// was made.
  package var decisiveExperiment: Experiment?
  /// The layers that the sandbox did not have, by the names of `Layer`.
  package var missingLayers: Set<String>

  /// Creates a run from its parts.
  package init(
    status: ExitStatus?,
    text: String = "",
    refusedCalls: [String] = [],
    decisiveExperiment: Experiment? = nil,
    missingLayers: Set<String> = []
  ) {
    self.status = status
    self.text = text
    self.refusedCalls = refusedCalls
    self.decisiveExperiment = decisiveExperiment
    self.missingLayers = missingLayers
  }

  /// The name of the errno of the attempt, or `nothing` if the attempt found no target.
  package var errno: String { text.split(separator: " ").last.map(String.init) ?? "nothing" }
}

/// A change of a launch plan that shows which protection caused a refusal.
package enum Experiment: String, Sendable, Hashable {
  /// The filter returns a distinct errno where it would return an error.
  case markedFilter
  /// The plan is the same, but without Landlock.
  case withoutLandlock
}

/// The layers that blocked an attempt, and the evidence for that.
///
/// Records of refused calls, with their arguments and lines of policies, belong here as well.
package struct BlockedBy: Sendable, Hashable {
  /// The kind of evidence.
  package enum Evidence: String, Sendable {
    /// The kernel reported the refused call to the host.
    case report
    /// The signal that terminated the probe.
    case signal
    /// The answer changed when the layer was changed.
    case experiment
    /// The errno of the attempt.
    case errno
    /// The attempt found no target, as its expected layers ensure.
    case expectation
    /// The host terminated the probe at the deadline.
    case deadline
  }

  /// The layers, by the names of `Layer`.
  package var layers: [String]
  package var evidence: Evidence
  /// The refused system calls, if the kernel reported them.
  package var calls: [String]

  /// Creates a value from its parts.
  package init(_ layers: [String], _ evidence: Evidence, calls: [String] = []) {
    self.layers = layers
    self.evidence = evidence
    self.calls = calls
  }
}

/// The result of an attempt.
package struct AttemptResult: Sendable, Hashable {
  /// The verdict on an attempt.
  package enum Verdict: String, Sendable {
    /// The attempt was refused, or found no target.
    case blocked
    /// The attempt achieved something that no sandboxed program may do.
    case gotThrough
    /// The attempt succeeded because a restricted session lacks every layer that blocks the attempt. The session
    /// record lists these layers as missing.
    case unprotected
    /// The attempt cannot be made on this machine.
    case untried
  }

  package var attempt: Attempt
  package var verdict: Verdict
  /// The layers that blocked the attempt, or `nil` if it was not blocked.
  package var blockedBy: BlockedBy?
  /// The output of the probe, or the reason why the attempt could not be made.
  package var note: String
  /// The verdict of a run outside any sandbox, or `nil` if there was none.
  package var outside: Verdict?
}
