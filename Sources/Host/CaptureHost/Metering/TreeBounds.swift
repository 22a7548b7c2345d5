// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// The limits of all processes of a session together: a control group if the host can create one, otherwise
/// measurements by the host.
package struct TreeBounds: ~Copyable {
  /// The entry of the session record.
  package let layer: SessionRecord.Layer
  /// The fixes to suggest if there is no group.
  package let mends: [Mend]
  private var group: SessionControlGroup?
  private let limits: PolicyLimits

  /// The descriptor of the group's member list for the launch plan, or `nil` if there is no group.
  package let members: Int32?

  private static let sweeps = SweepPace()

  /// The subtree of the control group hierarchy that `DARKROOM_CGROUP` names, or `nil`.
  static var given: String? { CurrentProcess.environment("DARKROOM_CGROUP") }

  /// Removes the groups of sessions whose host has died. Returns the number of removed groups.
  static func removeAbandoned() -> Int {
    guard let subtree = try? ControlGroupSubtree.find(given: given) else { return 0 }
    return SessionControlGroup.removeAbandoned(in: subtree)
  }

  /// Creates the limits of a session, with a control group if possible.
  package static func make(for session: SessionID, _ limits: PolicyLimits, _ mounts: MountTable) -> TreeBounds
  {
    do throws(ControlGroupFault) {
      // Every launch reads the mount table, so reading it here costs nothing more.
      let subtree = try ControlGroupSubtree.obtain(given: given) { mounts.reading?.points.table }
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
      return TreeBounds(
        layer: layer(.enforced, "by the kernel", limits),
        mends: [],
        group: consume group,
        limits: limits,
        members: members
      )
    } catch {
      guard TreeCensus.isPossible else {
        let detail = "\(error), and this kernel does not show the children of a process; \(error.mend)"
        return TreeBounds(
          layer: .init(name: Layer.controlGroup.rawValue, state: .missing, detail: detail),
          mends: [Mend(error.mend)],
          group: nil,
          limits: limits,
          members: nil
        )
      }
      return TreeBounds(
        layer: layer(.degraded, "measured by the host, for \(error)", limits),
        mends: [Mend(error.mend)],
        group: nil,
        limits: limits,
        members: nil
      )
    }
  }

  private init(
    layer: SessionRecord.Layer,
    mends: [Mend],
    group: consuming SessionControlGroup?,
    limits: PolicyLimits,
    members: Int32?
  ) {
    self.layer = layer
    self.mends = mends
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
  package consuming func meter(root: Int32, hasSockets: Bool) -> TreeMeter {
    TreeMeter(root: root, group: group, limits: limits, hasSockets: hasSockets)
  }
}

extension SessionRecord.Enforcement {
  /// Adds the peak usage of the session to the record.
  mutating func note(peak: TreeReading) {
    guard let index = layers.firstIndex(where: { $0.name == Layer.controlGroup.rawValue }),
      let detail = layers[index].detail
    else { return }
    layers[index].detail = "\(detail); at most \(peak.memory) bytes and \(peak.tasks) processes were seen"
  }
}
