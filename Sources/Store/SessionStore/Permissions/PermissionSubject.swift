// SPDX-License-Identifier: Apache-2.0

/// What a person allows or denies an app, and the app's extensions with it.
package enum PermissionSubject: String, CaseIterable, Sendable {
  /// The camera's frames.
  case camera
  /// Sound.
  case microphone
  /// Adding to the photo library. The corresponding level is `PHAccessLevel.addOnly`.
  case photosAddOnly
  /// Reading and changing the photo library. The corresponding level is `PHAccessLevel.readWrite`.
  case photos

  /// Whether it is had from devices, among which a person can select.
  package var hasDevices: Bool { self == .camera || self == .microphone }
}

/// What a person has decided of one subject; of what nobody has decided there is none.
package enum PermissionSetting: String, CaseIterable, Sendable {
  /// It may be used.
  case authorized
  /// It may not be used.
  case denied
  /// Only what the person has selected: assets of ``PermissionSubject/photos``, cameras, or microphones.
  case limited
  /// The person is asked before each session; of the camera and the microphone alone.
  case ask
}

/// What a person has allowed one app.
package struct AppPermissions: Hashable, Sendable {
  /// The decisions.
  package private(set) var settings: [PermissionSubject: PermissionSetting]
  /// The ids of the assets that the person has selected, where ``PermissionSubject/photos`` is limited.
  package private(set) var selectedAssets: Set<String>
  /// The devices that the person has selected, by what they are called (`darkroom camera list`), where the camera or the
  /// microphone is limited.
  package private(set) var selectedDevices: [PermissionSubject: Set<String>]

  /// Nobody has decided anything.
  package init() {
    settings = [:]
    selectedAssets = []
    selectedDevices = [:]
  }

  /// What was decided of a subject; nil: nobody has decided.
  package subscript(subject: PermissionSubject) -> PermissionSetting? { settings[subject] }

  /// Decides.
  ///
  /// The two levels of the photo library cannot contradict each other: who may read may add, and who may not even add
  /// may not read.
  package mutating func set(
    _ subject: PermissionSubject,
    _ setting: PermissionSetting,
    selecting assets: Set<String> = [],
    devices: Set<String> = []
  ) throws(PermissionMistake) {
    guard setting != .limited || subject == .photos || subject.hasDevices else {
      throw .notLimitable(subject)
    }
    guard setting != .ask || subject.hasDevices else { throw .notAskedFor(subject) }
    guard assets.isEmpty || subject == .photos else { throw .noAssets(subject) }
    guard devices.isEmpty || subject.hasDevices else { throw .noDevices(subject) }
    guard assets.isEmpty && devices.isEmpty || setting == .limited else {
      throw .selectionWithoutLimit(subject, setting)
    }
    // Nothing would be left of the permission, and nobody would have said that it is denied.
    guard !devices.isEmpty || setting != .limited || !subject.hasDevices else {
      throw .nothingSelected(subject)
    }
    settings[subject] = setting
    if subject.hasDevices { selectedDevices[subject] = setting == .limited ? devices : nil }
    switch (subject, setting) {
    case (.photos, .authorized), (.photos, .limited): settings[.photosAddOnly] = .authorized
    case (.photosAddOnly, .denied) where settings[.photos] != nil: settings[.photos] = .denied
    default: break
    }
    if subject == .photos { selectedAssets = assets }
    if settings[.photos] != .limited { selectedAssets = [] }
  }

  /// Forgets a decision; what it brought with it stays.
  package mutating func reset(_ subject: PermissionSubject) {
    settings[subject] = nil
    selectedDevices[subject] = nil
    // Nobody who may not add is left with reading.
    if subject == .photosAddOnly, settings[.photos] != .denied { settings[.photos] = nil }
    if settings[.photos] != .limited { selectedAssets = [] }
  }
}

/// Why a decision is none.
package enum PermissionMistake: Error, Hashable, Sendable, CustomStringConvertible {
  /// Adding to the photo library cannot be limited.
  case notLimitable(PermissionSubject)
  /// The person is asked only for what is had from devices.
  case notAskedFor(PermissionSubject)
  /// Assets were selected for something that has none.
  case noAssets(PermissionSubject)
  /// Devices were selected for something that has none.
  case noDevices(PermissionSubject)
  /// Something was selected for what is not limited.
  case selectionWithoutLimit(PermissionSubject, PermissionSetting)
  /// Limited to no device.
  case nothingSelected(PermissionSubject)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .notLimitable(let subject):
      "\(subject.rawValue) cannot be limited: write authorized or denied, or limit photos"
    case .notAskedFor(let subject):
      "nobody is asked for \(subject.rawValue) each time: write authorized or denied; ask is for camera and microphone"
    case .noAssets(let subject):
      "\(subject.rawValue) has no assets: name devices, or limit photos"
    case .noDevices(let subject):
      "\(subject.rawValue) has no devices: name assets, or limit camera or microphone"
    case .selectionWithoutLimit(let subject, let setting):
      "something is selected only where \(subject.rawValue) is limited, not \(setting.rawValue): write limited, or leave the selection out"
    case .nothingSelected(let subject):
      "\(subject.rawValue) would be limited to nothing: name a device, or write denied"
    }
  }
}
