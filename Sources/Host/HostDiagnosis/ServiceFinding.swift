// SPDX-License-Identifier: Apache-2.0

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
      guard let state = try ServiceClient.state(version: DarkroomRelease.version, at: place) else {
        return finding(
          .present,
          "none; each command starts its own host ('darkroom serve' starts a shared host)"
        )
      }
      let supply = state.supply
      let what =
        "PID \(state.process), \(state.commands) commands; \(supply.waiting) of at most \(supply.maximumWaiting) "
        + "prewarmed extensions, \(supply.launched) prewarmed launches, \(supply.brokered) launches by the broker"
      guard let difference = state.difference else {
        guard let fault = supply.brokerFault else { return finding(.present, what) }
        return finding(
          .advice,
          "\(what); the broker is unavailable (\(fault)): restart the server"
        )
      }
      return finding(
        .advice,
        "\(what); does not serve this process, which differs in: \(difference)"
      )
    } catch { return finding(.advice, "does not serve this process: \(error.sentence)") }
  }

  private static func finding(_ state: MachineFinding.State, _ detail: String) -> MachineFinding {
    MachineFinding("server", state, detail)
  }
}

extension ServiceRefusal {
  /// The reason, as text.
  fileprivate var sentence: String {
    switch self {
    case .version(let version): "the server has version \(version)"
    case .user: "the server belongs to another user"
    case .differentCredentials(let fact): "\(fact) differs"
    case .busy: "the server has too many clients"
    case .stopping: "the server is stopping"
    case .unsupportedCommand, .malformed: "the server does not understand the request"
    case .server(let fault): fault
    }
  }
}
