// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// The number of elements of a list without a limit.
  fileprivate static let standardLimit: Int64 = 100

  /// Performs an operation on the session log.
  func performOnLog(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let history = operations.host.history
    switch method {
    case .logList:
      let listing = try await history.entries(matching: SessionHistory.Filter(parameters))
      return OperationResult([
        "entries": .array(listing.entries.map(\.json)),
        "failures": .array(listing.failures.prefix(Int(Self.standardLimit)).map(JSONValue.string)),
      ])
    case .logRecord:
      let record = try await history.record(of: parameters.text("session"))
      return OperationResult(.object(["record": record.map(JSONValue.string)]))
    case .logHead:
      return OperationResult(.object(["head": try await history.head().map(JSONValue.string)]))
    case .logDeviceUses:
      let listing = try await history.deviceUses(
        of: parameters["app"]?.string,
        resource: parameters["resource"]?.string.flatMap(AppPermissionSettings.Resource.init),
        maximumUses: Int(parameters.integer("limit") ?? Self.standardLimit)
      )
      return OperationResult([
        "uses": .array(listing.uses.map(\.json)),
        "failures": .array(listing.failures.prefix(Int(Self.standardLimit)).map(JSONValue.string)),
      ])
    default: return OperationResult(try await history.verify(head: parameters["head"]?.string).json)
    }
  }

  /// Performs an operation on the storage of sessions.
  func performOnStorage(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let storage = operations.host.storage
    let app = parameters["app"]?.string
    switch method {
    case .storageLimits:
      guard let app else { return OperationResult(try await storage.limits().json) }
      return OperationResult(try await storage.limits(of: app).json)
    case .storageSetLimits:
      let limits = HostStorage.Limits(parameters.object("limits"))
      if let app { try await storage.setLimits(limits, of: app) } else { try await storage.setLimits(limits) }
      return .none
    default: return OperationResult(try await storage.usage(of: parameters.text("app")).json)
    }
  }

  /// Performs an operation on the photo library.
  func performOnPhotos(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let photos = operations.host.photos
    switch method {
    case .photosList:
      let found = try await photos.assets(
        addedBy: parameters["app"]?.string,
        in: parameters["session"]?.string
      )
      let limit = Int(parameters.integer("limit") ?? Self.standardLimit)
      return OperationResult(["assets": .array(found.prefix(limit).map(\.json))])
    case .photosAdd:
      var paths: [String] = []
      for path in parameters.texts("files") { paths.append(try absolute(path, "files")) }
      let additions = try await photos.add(paths, for: parameters.text("app"))
      return OperationResult([
        "assets": .array(additions.assets.map(\.json)),
        "failures": .array(additions.failures.map { .string($0.error.description) }),
      ])
    case .photosExport:
      let directory = try path("directory", parameters)
      let copy = try await photos.export(parameters.text("asset"), to: directory)
      return OperationResult(["path": .string(copy)])
    case .photosVerify:
      let found = try await photos.verify()
      return OperationResult([
        "discrepancies": .array(found.prefix(Int(Self.standardLimit)).map(\.json)),
        "count": .integer(Int64(found.count)),
      ])
    case .photosRecover: return OperationResult(["changes": .integer(Int64(try await photos.recover()))])
    default: return try await performOnSelection(method, parameters)
    }
  }

  /// Performs an operation on the assets that an app may see, or deletes an asset.
  private func performOnSelection(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let photos = operations.host.photos
    switch method {
    case .photosDelete: try await photos.delete(parameters.text("asset"))
    case .photosSelect: try await photos.select(Set(parameters.texts("assets")), for: parameters.text("app"))
    default:
      let selected = try await photos.selection(for: parameters.text("app"))
      return OperationResult(["selected": .array(selected.map(JSONValue.string))])
    }
    return .none
  }

  /// Performs an operation on the files that an app shares with its extensions.
  func performOnAssets(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let assets = try await app(parameters).assets
    switch method {
    case .assetsPublish:
      return OperationResult(try await assets.publish(try path("directory", parameters)).json)
    case .assetsList:
      return OperationResult(["sets": .array(try await assets.list().map(\.json))])
    default: return OperationResult(["cleared": .bool(try await assets.clear())])
    }
  }
}

extension SessionHistory.Filter {
  /// Creates a filter from the parameters of `log/list`.
  fileprivate init(_ parameters: OperationParameters) {
    self.init()
    (appID, extensionID) = (parameters["app"]?.string, parameters["extension"]?.string)
    outcomes = Set(parameters.texts("outcomes").compactMap { SessionHistory.Outcome(rawValue: $0) })
    (since, until) = (parameters.integer("since"), parameters.integer("until"))
    maximumEntries = Int(parameters.integer("limit") ?? HostClient.standardLimit)
  }
}

extension HostStorage.Limits {
  /// Creates limits from the schema `StorageLimits`.
  fileprivate init(_ parameters: OperationParameters) {
    self.init(
      bytes: parameters.integer("bytes"),
      files: parameters.integer("files"),
      sessions: parameters.integer("sessions"),
      reserve: parameters.integer("reserve")
    )
  }
}
