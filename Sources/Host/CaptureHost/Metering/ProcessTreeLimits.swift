// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// The limits of all processes of a session together: a control group if the host can create one, otherwise
/// measurements by the host.
package struct ProcessTreeLimits: ~Copyable {
  /// The entry of the session record.
  package let layer: SessionRecord.Layer
  /// The fixes to suggest if there is no group.
  package let fixes: [Fix]
  private var group: SessionControlGroup?
  private let limits: PolicyLimits

  /// The descriptor of the group's member list for the launch plan, or `nil` if there is no group.
  package let members: Int32?

  private static let sweeps = SweepSchedule()

  /// The subtree of the control group hierarchy that `DARKROOM_CGROUP` names, or `nil`.
  static var configuredSubtree: String? { CurrentProcess.environment("DARKROOM_CGROUP") }

  /// Removes the groups of sessions whose host has died. Returns the number of removed groups.
  static func removeAbandoned() -> Int {
    guard let subtree = try? ControlGroupSubtree.find(given: configuredSubtree) else { return 0 }
    return SessionControlGroup.removeAbandoned(in: subtree)
  }

  /// Creates the limits of a session, with a control group if possible.
  package static func make(for session: SessionID, _ limits: PolicyLimits, _ mounts: MountTable)
    -> ProcessTreeLimits
  {
    do throws(ControlGroupFault) {
      // Every launch reads the mount table, so reading it here costs nothing more.
      let subtree = try ControlGroupSubtree.obtain(given: configuredSubtree) { mounts.reading?.points.table }
      // Groups that a killed host left are removed by the next host.
      if sweeps.isDue(subtree.path, at: MonotonicClock.now) {
        SessionControlGroup.removeAbandoned(in: subtree)
      }
      let group = try SessionControlGroup.make(
        session.description,
        in: subtree,
        .init(memory: limits.memory, tasks: limits.processes)
      )
      let members = group.members.rawValue
      return ProcessTreeLimits(
        layer: layer(.enforced, "enforced by the kernel", limits),
        fixes: [],
        group: consume group,
        limits: limits,
        members: members
      )
    } catch {
      guard ProcessTreeCensus.isPossible else {
        let detail = "\(error), and this kernel does not list child processes; \(error.fix)"
        return ProcessTreeLimits(
          layer: .init(name: Layer.controlGroup.rawValue, state: .missing, detail: detail),
          fixes: [Fix(error.fix)],
          group: nil,
          limits: limits,
          members: nil
        )
      }
      return ProcessTreeLimits(
        layer: layer(.degraded, "measured by the host, because \(error)", limits),
        fixes: [Fix(error.fix)],
        group: nil,
        limits: limits,
        members: nil
      )
    }
  }

  private init(
    layer: SessionRecord.Layer,
    fixes: [Fix],
    group: consuming SessionControlGroup?,
    limits: PolicyLimits,
    members: Int32?
  ) {
    self.layer = layer
    self.fixes = fixes
    self.group = group
    self.limits = limits
    self.members = members
  }

  private static func layer(_ state: SessionRecord.Layer.State, _ how: String, _ limits: PolicyLimits)
    -> SessionRecord.Layer
  {
    .init(
      name: Layer.controlGroup.rawValue,
      state: state,
      detail: "\(limits.memory) bytes of memory, \(limits.processes) processes: \(how)"
    )
  }

  /// Returns the meter of the session with this init. `hasSockets` is whether the policy allows sockets.
  package consuming func makeMeter(root: Int32, hasSockets: Bool) -> ProcessTreeMeter {
    ProcessTreeMeter(root: root, group: group, limits: limits, hasSockets: hasSockets)
  }
}

extension SessionRecord.Enforcement {
  /// Adds the peak usage of the session to the record.
  mutating func note(peak: ProcessTreeReading) {
    guard let index = layers.firstIndex(where: { $0.name == Layer.controlGroup.rawValue }),
      let detail = layers[index].detail
    else { return }
    layers[index].detail = "\(detail); peak: \(peak.memory) bytes and \(peak.tasks) processes"
  }
}
