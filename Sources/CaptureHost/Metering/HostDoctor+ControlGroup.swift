// SPDX-License-Identifier: Apache-2.0

internal import ControlGroups

extension HostDoctor {
  /// What bounds all processes of a session together here.
  static var controlGroup: MachineFinding {
    let name = "control groups"
    do throws(ControlGroupFault) {
      let subtree = try ControlGroupSubtree.find(given: TreeBounds.given)
      let controllers = subtree.controllers.sorted().joined(separator: ", ")
      return MachineFinding(name, .present, "\(subtree.path) can be divided: \(controllers)")
    } catch {
      if let bus = ControlGroupSubtree.bus(after: error) {
        return MachineFinding(name, .present, "systemd is asked for one, at \(bus), when a session begins")
      }
      let instead =
        TreeCensus.isPossible
        ? "the host measures the processes of a session itself"
        : "this kernel does not show the children of a process either, so only each process has its limits"
      return MachineFinding(name, .advice, "\(error): \(instead)", [Mend(error.mend)])
    }
  }
}
