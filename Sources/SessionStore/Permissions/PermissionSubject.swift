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
}

/// What a person has decided of one subject; of what nobody has decided there is none.
package enum PermissionSetting: String, CaseIterable, Sendable {
  /// It may be used.
  case authorized
  /// It may not be used.
  case denied
  /// Only the assets that the person has selected; of ``PermissionSubject/photos`` alone.
  case limited
}

/// What a person has allowed one app.
package struct AppPermissions: Hashable, Sendable {
  /// The decisions.
  package private(set) var settings: [PermissionSubject: PermissionSetting]
  /// The ids of the assets that the person has selected, where ``PermissionSubject/photos`` is limited.
  package private(set) var selectedAssets: Set<String>

  /// Nobody has decided anything.
  package init() {
    settings = [:]
    selectedAssets = []
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
    selecting assets: Set<String> = []
  ) throws(PermissionMistake) {
    guard setting != .limited || subject == .photos else { throw .notLimitable(subject) }
    guard assets.isEmpty || setting == .limited else { throw .selectionWithoutLimit(setting) }
    settings[subject] = setting
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
    // Nobody who may not add is left with reading.
    if subject == .photosAddOnly, settings[.photos] != .denied { settings[.photos] = nil }
    if settings[.photos] != .limited { selectedAssets = [] }
  }
}

/// Why a decision is none.
package enum PermissionMistake: Error, Hashable, Sendable, CustomStringConvertible {
  /// Only the reading of the photo library can be limited.
  case notLimitable(PermissionSubject)
  /// Assets were selected for something that is not limited.
  case selectionWithoutLimit(PermissionSetting)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .notLimitable(let subject):
      "\(subject.rawValue) cannot be limited: write authorized or denied, or limit photos"
    case .selectionWithoutLimit(let setting):
      "assets are selected only where photos are limited, not \(setting.rawValue): write limited, or leave them out"
    }
  }
}
