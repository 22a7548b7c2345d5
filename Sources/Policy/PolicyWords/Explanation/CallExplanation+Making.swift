// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
package import SystemCalls

extension CallExplanation {
  /// Creates the explanation of a call under a policy, for sessions of an isolation mode.
  package init(of call: ParsedCall, under policy: ResolvedPolicy, mode: SessionMode = .namespaces) {
    let parts = CallExplainer(policy, mode, call).parts
    self.init(
      policy: policy.name,
      call: call,
      parts: parts,
      notes: CallNotes(policy: policy, call: call, parts: parts).sentences
    )
  }
}
