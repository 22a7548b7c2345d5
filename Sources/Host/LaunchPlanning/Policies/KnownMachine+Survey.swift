// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import PolicyLint
internal import SandboxEnforcement
package import SandboxPolicy

extension KnownMachine {
  /// Returns the facts about this machine for checks of policies: its libseccomp, its kernel, and the files
  /// that the policies show.
  package static func ofThisMachine(for policies: [ResolvedPolicy], survey: FileSurvey) -> KnownMachine {
    let names = SystemCallTable.native.numbers.keys.filter {
      LibrarySystemCalls.number(of: $0, on: .native) != nil
    }
    return KnownMachine(
      library: Library(version: LibrarySystemCalls.version, calls: Set(names)),
      kernel: KernelVersion(release: KernelRelease.running.description),
      files: survey.facts(for: policies.flatMap(\.readOnly).map(\.path))
    )
  }
}
