// SPDX-License-Identifier: Apache-2.0

internal import ControlGroups

extension HostDoctor {
  /// What bounds all processes of a session together here.
  static var controlGroup: Finding {
    let name = "control groups"
    do throws(ControlGroupFault) {
      let subtree = try TreeBounds.subtree()
      let controllers = subtree.controllers.sorted().joined(separator: ", ")
      return Finding(name: name, state: .present, detail: "\(subtree.path) can be divided: \(controllers)")
    } catch {
      guard TreeCensus.isPossible else {
        return Finding(
          name: name,
          state: .advice,
          detail:
            "\(error), and this kernel does not show the children of a process: only each process has its limits",
          mend: error.mend
        )
      }
      return Finding(
        name: name,
        state: .advice,
        detail: "\(error): the host measures the processes of a session itself",
        mend: error.mend
      )
    }
  }
}
