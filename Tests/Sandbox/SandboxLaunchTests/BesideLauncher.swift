// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch

/// Launches sessions that have the network of one before them, so that both processes of each work beside each other.
struct BesideLauncher {
  private let spares = SpareNetworks()
  /// For an ordinary user, whose networks are a broker's. It prepares nothing, for longer than anybody waits, and ends with the
  /// process.
  private let broker: LaunchBroker?

  /// Makes the session that leaves its network to the others.
  init() throws {
    if CurrentProcess.effectiveUserID == 0 {
      broker = nil
    } else {
      let made = try LaunchBroker(delay: .max, spares: spares)
      _ = Unmanaged.passRetained(made)
      broker = made
    }
    let null = try FileSystem.open("/dev/null", .readWrite)
    // The broker is asked to prepare something after the first; and it may not have begun.
    for _ in 0..<100 {
      let session = try launch(SandboxLauncherTests.plan("true", output: null.rawValue))
      let isReady = session.hasOthersNetwork
      _ = try session.reap()
      if isReady { break }
    }
  }

  /// Launches. Where the plan has no filter it has one that allows everything: what is held comes with its listener.
  func launch(_ plan: LaunchPlan) throws -> SandboxedProcess { try launch(plan, nil) }

  /// The same; the program is not executed before `permission` has come.
  func launch(_ plan: LaunchPlan, _ permission: LaunchPermission?) throws -> SandboxedProcess {
    var plan = plan
    if plan.filter.isEmpty { plan.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F] }
    plan.refusals = .reported
    plan.network = .handedOn
    return try broker?.launch(plan, permission: permission)
      ?? SandboxLauncher.launch(plan, spares: spares, permission: permission)
  }
}
