// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import SandboxLaunch
package import SessionStore

/// What a host that runs more than one session keeps between them, and gives to every runner of its state root.
///
/// One value for the host's life; the sessions use it on their own threads at the same time. Whoever makes one has to close
/// it (``close()``).
package final class HostResources: Sendable {
  /// The state root that it is for.
  package let stateRoot: StateRoot
  /// Compiles each policy once, and looks at the machine once.
  let planner: LaunchPlanner
  /// Carries out plans.
  let launcher: HostLauncher
  /// What waits to be launched; nil: nothing ever does.
  let pool: WarmPool?
  /// Looks after what waits.
  let keeper: WarmKeeper?
  /// Where the host runs, and what it has made.
  private let processors = ThreadPlace.processors

  /// What a host keeps ahead.
  package struct Supply: Sendable {
    /// How many extensions wait, and for how long; nil: none ever does.
    package var limits: WarmPool.Limits?
    /// The camera for which extensions are started ahead that nobody has launched yet, as ``FrameSourceOpener`` reads it;
    /// nil: none are.
    package var camera: String?
    /// Is told in a sentence, on any thread, what could not be started ahead.
    package var notice: @Sendable (String) -> Void = { _ in }

    /// Nothing waits.
    package init() {}
  }

  /// Refuses a camera, as ``FrameSourceOpener`` reads it, for which nothing could be started ahead.
  package static func check(camera: String) throws(SessionError) {
    do throws(CameraFeedError) {
      // Not opened: it would be waited for, and what comes first would be lost.
      if OpenedCamera.givesFramesOnce(camera) { throw .once(camera) }
      _ = try OpenedCamera(camera, -1, nil)
    } catch { throw .camera(error) }
  }

  /// What a host of a state root keeps.
  package init(stateRoot: StateRoot, supply: Supply = Supply()) throws(SystemCallError) {
    self.stateRoot = stateRoot
    SandboxLauncher.makeThreads()
    planner = LaunchPlanner(stateRoot: stateRoot)
    launcher = HostLauncher()
    guard let limits = supply.limits, limits.all > 0 else {
      (pool, keeper) = (nil, nil)
      return
    }
    let pool = try WarmPool(stateRoot: stateRoot, limits: limits, planner: planner, notice: supply.notice)
    do throws(SystemCallError) {
      keeper = try WarmKeeper(pool, ahead: supply.camera.map { WarmInstallations(stateRoot, camera: $0) })
    } catch {
      pool.close()
      throw error
    }
    self.pool = pool
  }

  /// Whether a thread runs where the host does: what the host has made runs there and nowhere else.
  var isAtHome: Bool { processors != nil && ThreadPlace.processors == processors }

  /// Ends what waits, at once. What is launched from now on is started when it is launched.
  package func dismiss() { pool?.dropAll() }

  /// Ends everything, and waits until it has ended. No session may run any more.
  package func close() {
    keeper?.close()
    pool?.close()
    launcher.close()
  }

  /// How things stand with it.
  package var standing: Standing {
    Standing(
      waiting: pool?.waiting.count ?? 0,
      mostWaiting: pool?.limits.all ?? 0,
      ends: pool?.ends ?? [:],
      brokered: launcher.uses,
      brokerFault: launcher.fault
    )
  }

  /// How things stand with what a host keeps.
  package struct Standing: Sendable {
    /// How many extensions wait to be launched.
    package var waiting: Int
    /// How many can at once.
    package var mostWaiting: Int
    /// How many waited, by how that ended.
    package var ends: [WarmEnd: Int]
    /// How many sessions began in what a broker had prepared.
    package var brokered: Int
    /// Why there is no broker; nil: there is one.
    package var brokerFault: BrokerFault?
  }
}
