// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LockedCameraCapture
internal import Synchronization

/// The state of a capture device: its format, its lock and the settings of the camera.
///
/// The host changes the settings of a camera only while the camera runs, so the first access to a setting
/// starts the camera.
final class DeviceState: Sendable {
  /// The format of the device.
  let format: AVCaptureDevice.Format
  /// The type of media.
  private let mediaType: AVMediaType
  private let state = Mutex(State())

  private struct State {
    var isConnected = true
    /// The number of calls of `lockForConfiguration()` that are not undone.
    var locks = 0
    /// The settings of the camera with their values, or `nil` before they are read.
    var settings: [CameraSetting.Name: CameraSetting]?
    /// The values that were set since the settings were read.
    var values: [CameraSetting.Name: Int] = [:]
  }

  init(_ mediaType: AVMediaType, _ format: AVCaptureDevice.Format) {
    (self.mediaType, self.format) = (mediaType, format)
  }

  /// Whether the device was not removed.
  var isConnected: Bool {
    get { state.withLock(\.isConnected) }
    set { state.withLock { $0.isConnected = newValue } }
  }

  /// Whether a caller has locked the device.
  var isLocked: Bool { state.withLock { $0.locks > 0 } }

  /// Locks the device, in addition to earlier locks.
  func lock() { state.withLock { $0.locks += 1 } }

  /// Undoes a lock.
  func unlock() { state.withLock { $0.locks = max(0, $0.locks - 1) } }

  /// Returns a setting of the camera, or `nil` if the camera has no such setting or there is no camera.
  func setting(_ name: CameraSetting.Name) -> CameraSetting? { settings()[name] }

  /// Returns the current value of a setting, or `nil` if the camera has no such setting.
  func value(_ name: CameraSetting.Name) -> Int? {
    guard let setting = setting(name) else { return nil }
    return state.withLock { $0.values[name] } ?? setting.value
  }

  /// Sets a setting of the camera to the nearest possible value; logs an error of the host.
  ///
  /// On a thread other than the main thread, the call does not wait for the host.
  func set(_ name: CameraSetting.Name, to value: Int) {
    guard let setting = setting(name) else { return }
    let value = setting.nearest(to: value)
    state.withLock { $0.values[name] = value }
    if CurrentSession.isInMainQueue {
      MainActor.assumeIsolated { apply(name, value) }
    } else {
      DispatchQueue.main.async { MainActor.assumeIsolated { self.apply(name, value) } }
    }
  }

  @MainActor
  private func apply(_ name: CameraSetting.Name, _ value: Int) {
    guard let session = CurrentSession.session else { return }
    do {
      let actual = try session.setCamera(name, to: value)
      state.withLock { $0.values[name] = actual }
    } catch {
      state.withLock { $0.values[name] = nil }
      session.log(.error, "the camera setting \(name.rawValue) was not set to \(value): \(error)")
    }
  }

  /// Returns the settings of the camera; reads them at the first call.
  private func settings() -> [CameraSetting.Name: CameraSetting] {
    if let known = state.withLock(\.settings) { return known }
    guard mediaType == .video, let read = Self.read() else { return [:] }
    let settings = Dictionary(uniqueKeysWithValues: read.map { ($0.name, $0) })
    state.withLock { $0.settings = settings }
    return settings
  }

  /// Returns the settings that the host reports, or `nil` if the camera does not start.
  private static func read() -> [CameraSetting]? {
    guard let session = CurrentSession.session else { return nil }
    do {
      if !CurrentSession.isCameraRunning { try session.startCameraOnThisThread() }
      return try session.cameraSettingsOnThisThread()
    } catch {
      session.logOnMainThread("the camera settings are unknown: \(error)")
      return nil
    }
  }
}

extension CameraSetting {
  /// Returns the possible value that is nearest to a number.
  func nearest(to number: Int) -> Int {
    let clamped = min(max(number, range.lowerBound), range.upperBound)
    guard values.isEmpty else { return values.min { abs($0 - clamped) < abs($1 - clamped) } ?? clamped }
    let steps = (Double(clamped - range.lowerBound) / Double(step)).rounded()
    let value = range.lowerBound + Int(steps) * step
    return value > range.upperBound ? value - step : value
  }
}

extension AVCaptureDevice {
  /// The state of the device.
  var state: DeviceState {
    attachment.object(DeviceState.self) { preconditionFailure("a device is created with its state") }
  }

  /// Traps unless the device is locked, like Apple's exception.
  func requireLock(_ property: String) {
    precondition(state.isLocked, "\(property) was set without a lock; call lockForConfiguration() first")
  }
}
