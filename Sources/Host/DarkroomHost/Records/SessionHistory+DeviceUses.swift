// SPDX-License-Identifier: Apache-2.0

internal import SessionStore

extension SessionHistory {
  /// A use of a camera or microphone by a session.
  public struct DeviceUse: Sendable, Hashable {
    /// The kind of device: `camera` or `microphone`.
    public let resource: AppPermissionSettings.Resource
    /// The name of the device.
    public let device: String
    /// The ID of the session.
    public let session: String
    /// The ID of the app.
    public let appID: String
    /// The ID of the extension.
    public let extensionID: String
    /// The time of the first frame or sound, in milliseconds since 1970.
    public let startedAt: Int64
    /// The duration in milliseconds, or `nil` if the use has not ended, or the host was killed.
    public let milliseconds: Int64?
    /// Whether the session is running.
    public let isRunning: Bool
  }

  /// The selected uses, and the unreadable lines of the log.
  public struct DeviceUseListing: Sendable, Hashable {
    /// The uses, newest first.
    public let uses: [DeviceUse]
    /// The messages about unreadable lines.
    public let failures: [String]
  }

  /// Returns the uses of cameras and microphones, newest first. Sessions that are running, or whose host was
  /// killed, are included.
  ///
  /// - Parameters:
  ///   - appID: The ID of the app, or `nil` for all apps.
  ///   - resource: The kind of device, or `nil` for both.
  ///   - maximumUses: The maximum number of uses.
  ///
  /// - Returns: The uses.
  ///
  /// - Throws: ``HostError/system(_:)`` if the log or a session cannot be read.
  public func deviceUses(
    of appID: String? = nil,
    resource: AppPermissionSettings.Resource? = nil,
    maximumUses: Int = .max
  ) async throws(HostError) -> DeviceUseListing {
    guard maximumUses > 0 else { return DeviceUseListing(uses: [], failures: []) }
    let root = root
    let selection = DeviceUseSelection(app: appID, subject: resource?.subject, limit: maximumUses)
    return try await HostThread.run { () throws(HostError) in
      let (uses, faults) = try Self.store { () throws(StoreError) in try selection.uses(in: root) }
      return DeviceUseListing(
        uses: uses.map { DeviceUse($0) },
        failures: faults.map { "session log: \($0)" }
      )
    }
  }
}

extension SessionHistory.DeviceUse {
  /// Creates a use from that of the store.
  fileprivate init(_ noted: SessionStore.DeviceUse) {
    resource = AppPermissionSettings.Resource(noted.use.subject)
    (device, startedAt, milliseconds) = (noted.use.device, noted.use.firstAt, noted.use.milliseconds)
    (session, isRunning) = (noted.session.description, noted.isRunning)
    (appID, extensionID) = (noted.app, noted.extensionID)
  }
}
