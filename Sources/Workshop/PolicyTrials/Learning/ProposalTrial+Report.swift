// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import JSONText
package import PolicyLearning
internal import SessionStore

extension ProposalTrial {
  /// Creates the result of a trial from the report of its session.
  package init(_ report: SessionReport) {
    var (core, refusals) = ([String](), [String]())
    for refusal in report.record.refusals {
      let sentence = "\(refusal.callText): \(refusal.explanation.reason)"
      if refusal.explanation.origin["kind"]?.string == "core" {
        core.append(sentence)
      } else {
        refusals.append(sentence)
      }
    }
    self.init(ending: "\(report.record.outcome)", refusals: refusals, core: core)
  }
}

extension SessionRecord.Refusal {
  /// The call in the notation of a program.
  fileprivate var callText: String { "\(call.name)(\(call.arguments.map(\.text).joined(separator: ", ")))" }
}
