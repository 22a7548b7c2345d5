// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import LaunchPlanning
internal import SandboxAudit
internal import SessionStore

extension CommandFailure {
  /// Creates a failure with the exit code for an error of an audit.
  init(_ error: AuditEvidenceError) {
    switch error {
    case .policy(let error): self = SessionCommands.failure(error)
    case .store(let error): self.init(error)
    case .attack(let error): self.init(error)
    case .digests, .bundle: self.init(.store, "\(error)")
    case .notExamined, .filter, .peers: self.init(.machine, "\(error)")
    }
  }

  /// Creates the failure for a catalog error.
  init(_ error: CatalogError) {
    let code: ExitCode =
      switch error {
      case .bundleRefused, .changedWhileCopied, .bundleInsideCatalog: .data
      case .appNotInstalled, .extensionNotInstalled: .missing
      case .contentPending, .extensionRunning, .changed, .linksChanged, .damaged, .digest, .systemCall: .store
      }
    self.init(code, "\(error)")
  }

  /// Creates the failure for a store error.
  init(_ error: StoreError) {
    let code: ExitCode =
      switch error {
      case .invalidIdentifier, .invalidConsumerName: .usage
      case .contextTooLarge, .contextDamaged, .permissionsDamaged, .invalidPermissionSetting, .tooManyAssets,
        .invalidAssetID, .tooManyDevices, .invalidDeviceName:
        .data
      case .assets(_, _, .unreadable), .assets(_, _, .missing), .assets(_, _, .notADirectory): .missing
      case .assets(_, _, .busy): .temporaryFailure
      case .assets: .data
      case .noSuchContent, .noSuchQuarantine, .contentDirectoryRemoved, .keyNotBound: .missing
      case .keyAlreadyBound: .data
      case .refused: .machine
      default: .store
      }
    self.init(code, "\(error)")
  }

  /// Creates the failure for an extension that cannot be launched. An unreadable file is a store failure, not
  /// a data error.
  init(_ error: ExtensionLaunchError) {
    switch error {
    case .catalog(.systemCall), .catalog(.digest), .policy(.unreadable), .policy(.digest):
      self.init(.store, "\(error)")
    case .catalog, .policy: self.init(.data, "\(error)")
    case .audit(let error): self.init(error)
    case .store(let error): self.init(error)
    }
  }

  /// Runs an operation of the store, and converts its errors to command failures.
  static func mappingStoreErrors<Result: ~Copyable>(
    _ body: () throws(StoreError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }

  /// Runs an operation of the catalog, and converts its errors to command failures.
  static func mappingCatalogErrors<Result>(_ body: () throws(CatalogError) -> Result) throws(CommandFailure)
    -> Result
  {
    do { return try body() } catch { throw CommandFailure(error) }
  }
}
