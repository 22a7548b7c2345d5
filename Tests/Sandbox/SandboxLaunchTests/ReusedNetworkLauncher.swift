// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch

/// Launches sessions that reuse the network of an earlier session, so that both processes of a session run
/// concurrently.
struct ReusedNetworkLauncher {
  private let spares = SpareNetworks()
  /// The broker that owns the networks of an unprivileged user. It never prepares a session and runs until
  /// this process exits.
  private let broker: LaunchBroker?

  /// Runs the session whose network is reused.
  init() throws {
    if CurrentProcess.effectiveUserID == 0 {
      broker = nil
    } else {
      let made = try LaunchBroker(delay: .max, spares: spares)
      _ = Unmanaged.passRetained(made)
      broker = made
    }
    let null = try FileSystem.open("/dev/null", .readWrite)
    // The broker starts after the first request, and may not be ready yet.
    for _ in 0..<100 {
      let session = try launch(SandboxLauncherTests.plan("true", output: null.rawValue))
      let isReady = session.hasReusedNetwork
      _ = try session.reap()
      if isReady { break }
    }
  }

  /// Launches a plan. A plan without a filter gets one that allows everything: the network descriptor comes
  /// with the listener.
  func launch(_ plan: LaunchPlan) throws -> SandboxedProcess { try launch(plan, nil) }

  /// Launches a plan whose program is executed after `permission` is given.
  func launch(_ plan: LaunchPlan, _ permission: LaunchPermission?) throws -> SandboxedProcess {
    var plan = plan
    if plan.restrictions.filter.isEmpty { plan.restrictions.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F] }
    plan.restrictions.refusals = .reported
    plan.isolation.network = .reused
    return try broker?.launch(plan, permission: permission)
      ?? SandboxLauncher.launch(plan, spares: spares, permission: permission)
  }
}
