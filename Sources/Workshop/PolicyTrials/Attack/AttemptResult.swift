// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// What one run of the probe came to, before anybody judges it.
package struct ProbeRun: Sendable, Hashable {
  /// How it ended; nil: it was ended at its deadline.
  package var status: ExitStatus?
  /// What the probe said of it: usually the name of an errno at the end.
  package var text: String
  /// The calls that the filter refused and reported, each name once, in the order of the first time.
  package var refusedCalls: [String]
  /// Which protection, made to answer differently, changed the probe's answer; nil: none, or it was not tried.
  package var decisive: Experiment?

  /// Describes a run.
  package init(
    status: ExitStatus?,
    text: String = "",
    refusedCalls: [String] = [],
    decisive: Experiment? = nil
  ) {
    self.status = status
    self.text = text
    self.refusedCalls = refusedCalls
    self.decisive = decisive
  }

  /// The name of the errno that the attempt ended in; `nothing` where it found nothing to take.
  package var errno: String { text.split(separator: " ").last.map(String.init) ?? "nothing" }
}

/// A change of a plan by which a refusal shows where it comes from.
package enum Experiment: String, Sendable, Hashable {
  /// Where the filter answers with an error, it answers with another one, which nothing else gives.
  case markedFilter
  /// The plan has no Landlock; everything else is as it was.
  case withoutLandlock
}

/// Which layers refused an attempt, and how that is known.
///
/// What the host records of refused calls (calls with their arguments, lines of policies) belongs here as well.
package struct BlockedBy: Sendable, Hashable {
  /// How it is known.
  package enum Evidence: String, Sendable {
    /// The kernel reported the refused call to the host.
    case report
    /// The signal that ended the probe.
    case signal
    /// The answer changed together with the layer's.
    case experiment
    /// The kernel's error.
    case errno
    /// The attempt found nothing, as the layers that are named for it make sure.
    case expectation
    /// The host ended it in time.
    case deadline
  }

  /// The layers, by the names of `Layer`.
  package var layers: [String]
  /// How that is known.
  package var evidence: Evidence
  /// The calls that were refused, where the kernel named them.
  package var calls: [String]

  /// Describes it.
  package init(_ layers: [String], _ evidence: Evidence, calls: [String] = []) {
    self.layers = layers
    self.evidence = evidence
    self.calls = calls
  }
}

/// What came of one attempt.
package struct AttemptResult: Sendable, Hashable {
  /// What came of it.
  package enum Verdict: String, Sendable {
    /// It was refused, or found nothing.
    case blocked
    /// It did what no sandboxed program may.
    case gotThrough
    /// It cannot be tried here.
    case untried
  }

  /// What was tried.
  package var attempt: Attempt
  /// What came of it.
  package var verdict: Verdict
  /// What refused it, if something did.
  package var blockedBy: BlockedBy?
  /// What the probe said, or why it could not be tried.
  package var note: String
  /// What came of it outside any sandbox, where that was tried.
  package var outside: Verdict?
}
