// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import HostService
internal import LaunchPlanning
internal import SessionStore

/// The doctor's finding about the server of a state root.
enum ServiceFinding {
  /// Returns whether a server is running, and whether it would run the commands of this process.
  static func of(_ root: StateRoot?) -> MachineFinding {
    guard let root else { return finding(.present, "none: there is no state root") }
    do throws(ServiceRefusal) {
      let place = ServicePaths(root: root.path)
      guard let state = try ServiceClient.state(version: DarkroomCommandLine.version, at: place) else {
        return finding(.present, "none; each command is its own host ('darkroom serve' would do it for all)")
      }
      let supply = state.supply
      let what =
        "process \(state.process), \(state.commands) commands; \(supply.waiting) of at most \(supply.maximumWaiting) "
        + "extensions wait, \(supply.launched) were launched from there, \(supply.brokered) by the broker"
      guard let difference = state.difference else {
        guard let fault = supply.brokerFault else { return finding(.present, what) }
        return finding(
          .advice,
          "\(what), of which there is none (\(fault)): start the server again to have one"
        )
      }
      return finding(
        .advice,
        "\(what), but not those of this process, which has otherwise: \(difference)"
      )
    } catch { return finding(.advice, "there is one that does nothing for this process: \(error.sentence)") }
  }

  private static func finding(_ state: MachineFinding.State, _ detail: String) -> MachineFinding {
    MachineFinding("server", state, detail)
  }
}

extension ServiceRefusal {
  /// The reason, as text.
  fileprivate var sentence: String {
    switch self {
    case .version(let version): "it is of version \(version)"
    case .user: "it is another user's"
    case .differentCredentials(let fact): "\(fact) is different there"
    case .busy: "it has too many clients"
    case .stopping: "it is being stopped"
    case .unsupportedCommand, .malformed: "it does not understand"
    case .server(let fault): fault
    }
  }
}
