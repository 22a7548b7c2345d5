// SPDX-License-Identifier: Apache-2.0

package import SandboxLaunch

/// Describes a failed launch in a sentence, with the cause and the fix for this machine.
package enum LaunchExplanation {
  /// Returns the sentence. If the machine has a known cause, its fix replaces the generic advice of the
  /// failed step.
  package static func sentence(_ error: SandboxLaunchError, _ facts: MachineFacts) -> String {
    guard let cause = LaunchDiagnosis.knownCauses(of: LaunchObstacle(error), facts).first else {
      return "\(error)"
    }
    let happened =
      switch error {
      case .host: "\(error)"
      case .child(let failure): failure.cause
      }
    let alternative = if case .child(let failure) = error { failure.alternative } else { String?.none }
    let fixes = cause.fixes.first.map { "; \(clause($0))" } ?? ""
    return "\(happened): \(cause.reason)\(fixes)" + (alternative.map { ", \($0)" } ?? "")
  }

  /// Returns a fix as a clause of a sentence.
  private static func clause(_ fix: Fix) -> String {
    let text = fix.sentence.prefix(1).lowercased() + fix.sentence.dropFirst()
    return fix.commands.isEmpty ? text : "\(text) (\(fix.commands.joined(separator: "; ")))"
  }
}
