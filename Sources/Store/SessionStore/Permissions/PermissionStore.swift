// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Storage of the user's permissions for an app, in a file of the app's directory.
///
/// An unreadable or invalid file is an error and never grants a permission.
package struct PermissionStore: Sendable {
  /// The version of the format.
  private static let version: Int64 = 1
  /// The maximum number of selected assets for an app.
  package static let maximumAssets = 10_000
  /// The maximum length of an asset ID in bytes.
  package static let longestAsset = 128
  /// The maximum number of selected devices for a resource.
  package static let maximumDevices = 64
  /// The maximum length of a device name in bytes, which can be a path.
  package static let longestDevice = 4096

  private let app: AppStore

  /// Creates the storage of an app.
  package init(_ app: AppStore) { self.app = app }

  /// Returns the permissions; undecided if there is no file.
  package func read() throws(StoreError) -> AppPermissions {
    let value: JSONValue?
    do { value = try Document.read(app.permissionsFile, limit: Self.limits) } catch {
      guard case .damaged(let path, let fault) = error else { throw error }
      throw .permissionsDamaged(app: app.id, path: path, fault)
    }
    guard let value else { return AppPermissions() }
    do { return try permissions(DocumentReader(value)) } catch {
      throw .permissionsDamaged(app: app.id, path: app.permissionsFile, error)
    }
  }

  /// Changes the permissions atomically and excludes concurrent changes.
  ///
  /// - Returns: The changed permissions.
  @discardableResult
  package func change(
    _ body: (inout AppPermissions) throws(PermissionSettingError) -> Void
  ) throws(StoreError) -> AppPermissions {
    try app.prepare()
    let lock = try lockDirectory(app.directory)
    var permissions = try read()
    do { try body(&permissions) } catch { throw .invalidPermissionSetting(error) }
    guard permissions.selectedAssets.count <= Self.maximumAssets else {
      throw .tooManyAssets(limit: Self.maximumAssets)
    }
    for asset in permissions.selectedAssets where !Self.isAsset(asset) { throw .invalidAssetID(asset) }
    for devices in permissions.selectedDevices.values {
      guard devices.count <= Self.maximumDevices else { throw .tooManyDevices(limit: Self.maximumDevices) }
      for device in devices where !Self.isDevice(device) { throw .invalidDeviceName(device) }
    }
    try Document.write(json(permissions), to: app.permissionsFile)
    _ = lock
    return permissions
  }

  /// Removes all decisions, even if the file is damaged.
  package func clear() throws(StoreError) {
    do {
      try FileSystem.unlink(app.permissionsFile)
      try FileSystem.synchronizeDirectory(app.directory)
    } catch  where error.errno == .noSuchFile {
      return
    } catch { throw .system(error) }
  }

  private static var limits: JSONLimits {
    let devices = 2 * maximumDevices * (longestDevice * 6 + 16)
    return JSONLimits(bytes: maximumAssets * (longestAsset * 6 + 16) + devices + 4096, depth: 4)
  }

  /// Whether a text is a valid device name: limited in length and without control characters.
  private static func isDevice(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestDevice
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Whether a text is a valid asset ID: limited in length and printable ASCII without spaces.
  private static func isAsset(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestAsset && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private func json(_ permissions: AppPermissions) -> JSONValue {
    let settings = PermissionSubject.allCases.compactMap { subject in
      permissions[subject].map { JSONValue.Member(subject.rawValue, .string($0.rawValue)) }
    }
    return .object([
      "version": .integer(Self.version), "app": .string(app.id), "settings": .object(settings),
      "selectedAssets": permissions.selectedAssets.isEmpty
        ? nil : .array(permissions.selectedAssets.sorted().map(JSONValue.string)),
      "selectedDevices": permissions.selectedDevices.isEmpty ? nil : .object(devices(permissions)),
      "changedAt": .string(WallClock.text(milliseconds: WallClock.milliseconds)),
    ])
  }

  private func devices(_ permissions: AppPermissions) -> [JSONValue.Member] {
    PermissionSubject.allCases.compactMap { subject in
      permissions.selectedDevices[subject].map { names in
        JSONValue.Member(subject.rawValue, .array(names.sorted().map(JSONValue.string)))
      }
    }
  }

  /// Reads permissions strictly: every member must be known, because an ignored member could be a denial.
  private func permissions(_ document: DocumentReader) throws(DocumentFault) -> AppPermissions {
    guard try document.integer("version") == Self.version else { throw document.fault("version", "1") }
    guard try document.string("app") == app.id else { throw document.fault("app", "\"\(app.id)\"") }
    let settings = try document.object("settings")
    for member in settings.value.members ?? [] where PermissionSubject(rawValue: member.name) == nil {
      throw settings.fault(member.name, "the name of a resource")
    }
    var permissions = AppPermissions()
    for subject in PermissionSubject.allCases {
      guard let setting = try setting(subject, settings) else { continue }
      let assets = subject == .photos && setting == .limited ? try selectedAssets(document) : []
      let devices = subject.hasDevices && setting == .limited ? try selectedDevices(subject, document) : []
      do { try permissions.set(subject, setting, selecting: assets, devices: devices) } catch {
        throw settings.fault(
          subject.rawValue,
          subject.hasDevices ? "authorized, denied or ask" : "authorized or denied"
        )
      }
    }
    // Contradictory settings could be read as more than the user has allowed.
    for subject in PermissionSubject.allCases where permissions[subject] != (try setting(subject, settings)) {
      throw settings.fault(subject.rawValue, "consistent with the other level of the photo library")
    }
    return permissions
  }

  private func setting(
    _ subject: PermissionSubject,
    _ settings: DocumentReader
  ) throws(DocumentFault) -> PermissionSetting? {
    try settings.optional(subject.rawValue) { name throws(DocumentFault) in try settings.enumValue(name) }
  }

  private func selectedDevices(
    _ subject: PermissionSubject,
    _ document: DocumentReader
  ) throws(DocumentFault) -> Set<String> {
    let all = try document.object("selectedDevices")
    let elements = all.value[subject.rawValue]?.elements
    let names = elements?.compactMap(\.string) ?? []
    guard !names.isEmpty, names.count == elements?.count, names.count <= Self.maximumDevices,
      names.allSatisfy(Self.isDevice)
    else { throw all.fault(subject.rawValue, "a nonempty list of device names") }
    return Set(names)
  }

  private func selectedAssets(_ document: DocumentReader) throws(DocumentFault) -> Set<String> {
    guard let value = document.value["selectedAssets"] else { return [] }
    let assets = value.elements?.compactMap(\.string)
    guard let assets, assets.count == value.elements?.count, assets.count <= Self.maximumAssets,
      assets.allSatisfy(Self.isAsset)
    else { throw document.fault("selectedAssets", "a list of asset IDs") }
    return Set(assets)
  }
}
