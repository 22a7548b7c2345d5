// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The settings of a camera as far as this process knows them, and the time for which its knowledge is current.
struct KnownSettings {
  /// The minimum time between two readings, in nanoseconds.
  private static let minimumAge: UInt64 = 100_000_000

  /// The settings as they were read, or `nil` before they are read.
  private var settings: [CameraSetting.Name: CameraSetting]?
  /// The values that were set since the settings were read.
  private var applied: [CameraSetting.Name: Int] = [:]
  /// The values that were requested, and that the host has not applied yet.
  private var requested: [CameraSetting.Name: Int] = [:]
  /// The number of starts and changes that the settings include, as in `CurrentSession.cameraRevision`.
  private var revision = 0
  /// The time until which the values that the camera changes are current, in nanoseconds.
  private var expiry: UInt64 = 0

  /// Whether the settings were read.
  var isRead: Bool { settings != nil }

  /// Returns a setting with the value that was read, or `nil` if the camera has no such setting.
  func setting(_ name: CameraSetting.Name) -> CameraSetting? { settings?[name] }

  /// Returns the current value of a setting, or `nil` if the camera has no such setting.
  func value(_ name: CameraSetting.Name) -> Int? {
    setting(name).map { requested[name] ?? applied[name] ?? $0.value }
  }

  /// Returns whether the camera was started, or another object of this process has changed a setting, since the reading.
  func isOutdated(_ revision: Int) -> Bool { revision != self.revision }

  /// Returns whether the camera may have changed a setting by itself since the reading.
  ///
  /// - Parameters:
  ///   - name: The setting. A camera changes only a setting with an automatic mode.
  ///   - now: The current time, in nanoseconds.
  /// - Returns: Whether the value may be outdated.
  func isOutdated(_ name: CameraSetting.Name, at now: UInt64) -> Bool {
    guard now >= expiry, let automatic = name.automatic else { return false }
    return setting(automatic)?.value == 1 || value(automatic) == 1
  }

  /// Returns whether a value is the last requested one, and the host has not applied or refused it.
  func isRequested(_ name: CameraSetting.Name, _ value: Int) -> Bool { requested[name] == value }

  /// Records that a value was requested.
  mutating func request(_ name: CameraSetting.Name, _ value: Int) { requested[name] = value }

  /// Records that the camera has refused a value.
  mutating func refused(_ name: CameraSetting.Name, _ value: Int) {
    if requested[name] == value { requested[name] = nil }
  }

  /// Records that the host has applied a value.
  ///
  /// - Parameters:
  ///   - name: The setting.
  ///   - value: The requested value.
  ///   - actual: The value that the camera has.
  ///   - former: The number of starts and changes before this change.
  mutating func applied(_ name: CameraSetting.Name, _ value: Int, _ actual: Int, after former: Int) {
    refused(name, value)
    applied[name] = actual
    if revision == former { revision += 1 }
    // A switched automatic mode determines other settings.
    expiry = 0
  }

  /// Replaces the settings.
  ///
  /// - Parameters:
  ///   - settings: The settings that the host has reported.
  ///   - revision: The number of starts and changes that they include.
  ///   - start: The time of the request, in nanoseconds. A reading for a slow camera takes longer, so it is used longer.
  ///   - end: The time of the reply, in nanoseconds.
  mutating func replace(by settings: [CameraSetting], _ revision: Int, from start: UInt64, to end: UInt64) {
    self.settings = Dictionary(settings.map { ($0.name, $0) }) { first, _ in first }
    (applied, self.revision) = ([:], revision)
    expiry = end + max(Self.minimumAge, 10 * (end - start))
  }
}
