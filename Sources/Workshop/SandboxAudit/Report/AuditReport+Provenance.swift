// SPDX-License-Identifier: Apache-2.0

internal import HostService
internal import LinuxPrimitives
package import SessionStore

extension AuditReport {
  /// Creates the report on a subject, with the time, the machine and the version of this process.
  package init(on subject: String, _ parts: [AuditPart], _ root: StateRoot) {
    self.init(
      title: "Audit of \(subject)",
      made: [
        AuditFact("made at", WallClock.text(milliseconds: WallClock.milliseconds)),
        AuditFact("by", "darkroom \(DarkroomRelease.version)"),
        AuditFact("kernel", "\(KernelRelease.running)"),
        AuditFact("user", "\(CurrentProcess.effectiveUserID)"),
        AuditFact("state root", root.path),
      ],
      parts: parts
    )
  }
}
