// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import LinuxPrimitives
package import SessionStore

extension HostResources {
  /// The configuration of prewarming.
  package struct PrewarmingConfiguration: Sendable {
    /// The limits of the number and of the age of prewarmed extensions, or `nil` to prewarm none.
    package var limits: PrewarmPool.Limits?
    /// The camera with which installed extensions are prewarmed before their first launch, as
    /// ``FrameSourceOpener`` reads it; `nil` for none.
    package var camera: String?
    /// Receives, on any thread, a sentence about each extension that could not be prewarmed.
    package var notice: @Sendable (String) -> Void = { _ in }

    /// Creates a configuration without prewarmed extensions.
    package init() {}
  }

  /// Throws an error if no extension can be prewarmed with this camera, which is written as
  /// ``FrameSourceOpener`` reads it. A camera that delivers its frames once is not opened.
  package static func check(camera: String) throws(SessionError) {
    do throws(CameraFeedError) {
      if OpenedCamera.deliversFramesOnce(camera) { throw .singleUse(camera) }
      _ = try OpenedCamera(camera, -1, nil)
    } catch { throw .camera(error) }
  }

  /// Creates the resources of a host that prewarms extensions.
  package convenience init(stateRoot: StateRoot, supply: PrewarmingConfiguration) throws(SystemCallError) {
    try self.init(stateRoot: stateRoot) { planner throws(SystemCallError) in
      guard let limits = supply.limits, limits.all > 0 else { return nil }
      let pool = try PrewarmPool(
        stateRoot: stateRoot,
        limits: limits,
        planner: planner,
        notice: supply.notice
      )
      do throws(SystemCallError) {
        try pool.startSupervisor(
          ahead: supply.camera.map { InstalledExtensionPrewarmer(stateRoot, camera: $0) }
        )
      } catch {
        pool.close()
        throw error
      }
      return pool
    }
  }

  /// The status of the prewarmed extensions and of the broker.
  package var status: Status {
    let pool = prewarmed as? PrewarmPool
    return Status(
      prewarmedCount: pool?.prewarmedSessions.count ?? 0,
      maximumWaiting: pool?.limits.all ?? 0,
      ends: pool?.ends ?? [:],
      brokered: brokeredLaunches,
      brokerFault: brokerFault
    )
  }

  /// The status of the prewarmed extensions and of the broker.
  package struct Status: Sendable {
    /// The number of extensions that are prewarmed now.
    package var prewarmedCount: Int
    /// The largest number of extensions that are prewarmed at the same time.
    package var maximumWaiting: Int
    /// The number of prewarmed extensions that are no longer waiting, by the reason.
    package var ends: [PrewarmEndReason: Int]
    /// The number of sessions that were launched by the broker.
    package var brokered: Int
    /// The reason for which there is no broker, or `nil` if there is one.
    package var brokerFault: BrokerFault?
  }
}
