// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import PolicyLint
internal import SandboxEnforcement
package import SandboxPolicy

extension MachineEvidence {
  /// Returns the facts about this machine for checks of policies: its libseccomp, its kernel, and the files
  /// that the policies show.
  package static func current(for policies: [ResolvedPolicy], survey: FileSurvey) -> MachineEvidence {
    let names = SystemCallTable.native.numbers.keys.filter {
      LibseccompSystemCalls.number(of: $0, on: .native) != nil
    }
    return MachineEvidence(
      library: Library(version: LibseccompSystemCalls.version, calls: Set(names)),
      kernel: KernelVersion(release: KernelRelease.running.description),
      files: survey.facts(for: policies.flatMap(\.readOnly).map(\.path))
    )
  }
}
