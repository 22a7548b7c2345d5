// SPDX-License-Identifier: Apache-2.0

internal import SessionStore

/// The decisions of the user about the resources of an app and its extensions.
public struct AppPermissionSettings: Sendable {
  private let store: PermissionStore

  /// Creates the decisions about an app.
  init(_ app: AppStore) { store = PermissionStore(app) }

  /// A resource.
  public enum Resource: String, Sendable, Hashable, CaseIterable {
    /// The frames of cameras.
    case camera
    /// The sound of microphones.
    case microphone
    /// Adding to the photo library.
    case photosAddOnly
    /// Reading and changing the photo library.
    case photos
  }

  /// A decision on a resource.
  public enum Decision: Sendable, Hashable {
    /// The resource may be used.
    case authorized
    /// The resource may not be used.
    case denied
    /// Only the selected devices may be used. Only for camera and microphone.
    case devices(Set<String>)
    /// Only the selected assets may be read. Only for photos.
    case assets(Set<String>)
    /// The user is prompted before each session. Only for camera and microphone.
    case ask
  }

  /// Returns the decisions. Undecided resources have no entry.
  public func get() async throws(HostError) -> [Resource: Decision] {
    let store = store
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return Self.decisions(try store.read()) } catch { throw HostError(error) }
    }
  }

  /// Sets the decision on a resource. Running sessions of the app are notified.
  ///
  /// The levels of the photo library stay consistent: permission to read includes adding, and denying to add
  /// includes denying to read.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the resource does not support the decision.
  public func set(_ resource: Resource, to decision: Decision) async throws(HostError) {
    let store = store
    try await HostThread.run { () throws(HostError) in
      let (setting, assets, devices) = Self.setting(decision)
      do throws(StoreError) {
        try store.change { permissions throws(PermissionSettingError) in
          try permissions.set(resource.subject, setting, selecting: assets, devices: devices)
        }
      } catch { throw HostError(error) }
    }
  }

  /// Removes the decision on a resource.
  public func reset(_ resource: Resource) async throws(HostError) {
    let store = store
    try await HostThread.run { () throws(HostError) in
      do throws(StoreError) {
        try store.change { permissions throws(PermissionSettingError) in permissions.reset(resource.subject) }
      } catch { throw HostError(error) }
    }
  }

  /// Removes all decisions, even if their file is damaged.
  public func resetAll() async throws(HostError) {
    let store = store
    try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { try store.clear() } catch { throw HostError(error) }
    }
  }

  private static func decisions(_ permissions: AppPermissions) -> [Resource: Decision] {
    var decisions: [Resource: Decision] = [:]
    for resource in Resource.allCases {
      switch permissions[resource.subject] {
      case nil: break
      case .authorized: decisions[resource] = .authorized
      case .denied: decisions[resource] = .denied
      case .ask: decisions[resource] = .ask
      case .limited:
        decisions[resource] =
          resource.subject.hasDevices
          ? .devices(permissions.selectedDevices[resource.subject] ?? [])
          : .assets(permissions.selectedAssets)
      }
    }
    return decisions
  }

  /// Returns the setting of a decision, with the selected assets and devices.
  private static func setting(_ decision: Decision) -> (PermissionSetting, Set<String>, Set<String>) {
    switch decision {
    case .authorized: (.authorized, [], [])
    case .denied: (.denied, [], [])
    case .ask: (.ask, [], [])
    case .devices(let names): (.limited, [], names)
    case .assets(let ids): (.limited, ids, [])
    }
  }
}

extension AppPermissionSettings.Resource {
  /// Creates the resource of a subject of the store.
  init(_ subject: PermissionSubject) {
    self =
      switch subject {
      case .camera: .camera
      case .microphone: .microphone
      case .photosAddOnly: .photosAddOnly
      case .photos: .photos
      }
  }

  /// The corresponding subject of the store.
  var subject: PermissionSubject {
    switch self {
    case .camera: .camera
    case .microphone: .microphone
    case .photosAddOnly: .photosAddOnly
    case .photos: .photos
    }
  }
}
