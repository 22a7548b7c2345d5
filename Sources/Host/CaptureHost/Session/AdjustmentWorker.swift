// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SessionStore

/// Changes the settings of a camera, and remembers the original values.
struct AdjustmentWorker {
  private let settings: any CameraSettings
  /// The notes from which recovery restores the settings if the host is killed.
  private let notes: CameraSettingsBackup?
  /// The changed settings with their original values, in the order of the changes.
  private var original: [(name: CameraSettingName, value: Int)] = []

  /// Creates a worker for a camera with these settings.
  init(_ settings: any CameraSettings, _ notes: CameraSettingsBackup?) {
    self.settings = settings
    self.notes = notes
  }

  /// Executes a request and returns its outcome.
  mutating func outcome(of request: CameraAdjustmentRequest) -> Reply.Outcome {
    switch request {
    case .readSettings: .success(CameraSettingsResult(settings.allSettings()).json)
    case .set(let request): set(request)
    }
  }

  private mutating func set(_ request: CameraSettingRequest) -> Reply.Outcome {
    guard let name = CameraSettingName(rawValue: request.name), let found = settings.setting(name) else {
      let names = settings.allSettings().map(\.name).joined(separator: ", ")
      return Self.refusal(
        names.isEmpty
          ? "the camera has no settings"
          : "the camera has no setting with this name; its settings are \(names)"
      )
    }
    guard found.isAdjustable else {
      let automatic = name.automatic.map { "; set \($0.rawValue) to 0 first" } ?? ""
      return Self.refusal(
        "\(request.name) cannot be set now, because another setting controls it\(automatic)"
      )
    }
    guard found.accepts(request.value) else {
      return Self.refusal("\(request.name): \(request.value) is out of range, \(found.rangeText)")
    }
    do throws(SystemCallError) {
      // Noted before the change, because a failing camera may have applied part of it. An automatic setting
      // changes others as soon as it is enabled.
      if found.value == 0, name.isAutomatic { for other in name.dependentSettings { try note(other) } }
      try note(name)
      return .success(CameraSettingResult(value: try settings.set(name, to: request.value)).json)
    } catch {
      return Self.refusal("\(request.name) cannot be set: \(error)")
    }
  }

  /// Notes the original value of a setting before its first change.
  private mutating func note(_ name: CameraSettingName) throws(SystemCallError) {
    guard !original.contains(where: { $0.name == name }), let value = settings.deviceValue(name) else {
      return
    }
    if let place = settings.location {
      let camera = CameraSettingsBackup.Camera(path: place.path, device: place.device)
      try notes?.save(CameraSettingsBackup.Value(name.rawValue, value), of: camera)
    }
    original.append((name, value))
  }

  private static func refusal(_ sentence: String) -> Reply.Outcome {
    .failure(ErrorObject(code: ProtocolErrorCode.invalidSetting.rawValue, message: sentence))
  }

  /// Restores the original values in reverse order, because the settings that an automatic setting controls
  /// can be set only while it is off.
  ///
  /// Returns a message for each setting that could not be restored.
  mutating func reset() -> [String] {
    var faults: [String] = []
    for (name, value) in original.reversed() {
      do throws(SystemCallError) { try restore(name, value) } catch {
        faults.append("the camera setting \(name.rawValue) could not be restored to \(value): \(error)")
      }
    }
    if !original.isEmpty { try? notes?.clear() }
    original = []
    return faults
  }

  /// Restores a setting, and tries again once if the connection to the camera was disturbed.
  private func restore(_ name: CameraSettingName, _ value: Int) throws(SystemCallError) {
    do throws(SystemCallError) { try settings.restore(name, to: value) } catch {
      // A camera that was removed has lost its settings.
      if error.errno == .noSuchDevice { return }
      try settings.restore(name, to: value)
    }
  }
}

extension CameraSettingName {
  /// Whether the setting controls other settings.
  fileprivate var isAutomatic: Bool { !dependentSettings.isEmpty }

  /// The settings that this setting controls while it is enabled.
  fileprivate var dependentSettings: [CameraSettingName] { Self.allCases.filter { $0.automatic == self } }
}
