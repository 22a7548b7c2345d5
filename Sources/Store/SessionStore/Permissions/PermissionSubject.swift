// SPDX-License-Identifier: Apache-2.0

/// A resource that the user allows or denies to an app and its extensions.
package enum PermissionSubject: String, CaseIterable, Sendable {
  /// The frames of cameras.
  case camera
  /// The sound of microphones.
  case microphone
  /// Adding to the photo library. The corresponding level is `PHAccessLevel.addOnly`.
  case photosAddOnly
  /// Reading and changing the photo library. The corresponding level is `PHAccessLevel.readWrite`.
  case photos

  /// Whether the resource consists of devices that can be selected individually.
  package var hasDevices: Bool { self == .camera || self == .microphone }
}

/// A decision of the user on a resource. An undecided resource has no setting.
package enum PermissionSetting: String, CaseIterable, Sendable {
  /// The resource may be used.
  case authorized
  /// The resource may not be used.
  case denied
  /// Only the selected assets of ``PermissionSubject/photos``, cameras or microphones may be used.
  case limited
  /// The user is prompted before each session. Only for camera and microphone.
  case ask
}

/// The permissions of an app.
package struct AppPermissions: Hashable, Sendable {
  /// The settings of the decided resources.
  package private(set) var settings: [PermissionSubject: PermissionSetting]
  /// The IDs of the selected assets, if ``PermissionSubject/photos`` is limited.
  package private(set) var selectedAssets: Set<String>
  /// The names of the selected devices (see `darkroom camera list`), if camera or microphone is limited.
  package private(set) var selectedDevices: [PermissionSubject: Set<String>]

  /// Creates undecided permissions.
  package init() {
    settings = [:]
    selectedAssets = []
    selectedDevices = [:]
  }

  /// The setting of a resource, or `nil` if it is undecided.
  package subscript(subject: PermissionSubject) -> PermissionSetting? { settings[subject] }

  /// Sets the permission for a resource.
  ///
  /// The two levels of the photo library stay consistent: permission to read includes adding, and denying to
  /// add includes denying to read.
  package mutating func set(
    _ subject: PermissionSubject,
    _ setting: PermissionSetting,
    selecting assets: Set<String> = [],
    devices: Set<String> = []
  ) throws(PermissionSettingError) {
    guard setting != .limited || subject == .photos || subject.hasDevices else {
      throw .cannotBeLimited(subject)
    }
    guard setting != .ask || subject.hasDevices else { throw .cannotPrompt(subject) }
    guard assets.isEmpty || subject == .photos else { throw .noAssets(subject) }
    guard devices.isEmpty || subject.hasDevices else { throw .noDevices(subject) }
    guard assets.isEmpty && devices.isEmpty || setting == .limited else {
      throw .selectionWithoutLimit(subject, setting)
    }
    // An empty selection would be an implicit denial.
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

  /// Removes a decision. Settings that it implied stay.
  package mutating func reset(_ subject: PermissionSubject) {
    settings[subject] = nil
    selectedDevices[subject] = nil
    // Read access requires the permission to add.
    if subject == .photosAddOnly, settings[.photos] != .denied { settings[.photos] = nil }
    if settings[.photos] != .limited { selectedAssets = [] }
  }
}

/// An error of a permission setting.
package enum PermissionSettingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Adding to the photo library cannot be limited.
  case cannotBeLimited(PermissionSubject)
  /// Prompts are only available for resources with devices.
  case cannotPrompt(PermissionSubject)
  /// Assets were selected for a resource without assets.
  case noAssets(PermissionSubject)
  /// Devices were selected for a resource without devices.
  case noDevices(PermissionSubject)
  /// A selection was given for a setting other than limited.
  case selectionWithoutLimit(PermissionSubject, PermissionSetting)
  /// The selection of devices is empty.
  case nothingSelected(PermissionSubject)

  /// The error as text, with its fix.
  package var description: String {
    switch self {
    case .cannotBeLimited(let subject):
      "\(subject.rawValue) cannot be limited; use authorized or denied, or limit photos"
    case .cannotPrompt(let subject):
      "ask is available only for camera and microphone, not for \(subject.rawValue); use authorized or denied"
    case .noAssets(let subject):
      "\(subject.rawValue) has no assets; select devices, or limit photos"
    case .noDevices(let subject):
      "\(subject.rawValue) has no devices; select assets, or limit camera or microphone"
    case .selectionWithoutLimit(let subject, let setting):
      "a selection requires that \(subject.rawValue) is limited, not \(setting.rawValue); use limited, or remove the "
        + "selection"
    case .nothingSelected(let subject):
      "\(subject.rawValue) is limited, but no device is selected; select a device, or use denied"
    }
  }
}
