// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import CameraSource
package import CaptureHost
package import LaunchPlanning
package import LinuxPrimitives
internal import SessionServices
package import SessionStore

extension HostError.Failure {
  /// Creates the details of a failure that a system call may have caused.
  package init(_ message: String, _ cause: SystemCallError?) {
    self.init(message, step: cause?.call, errno: cause?.errno.rawValue, path: cause?.path)
  }
}

extension HostError {
  /// Creates an error from a failed system call.
  package init(_ error: SystemCallError) { self = .system(Failure("\(error)", error)) }

  /// Creates an error from an error of the catalog.
  package init(_ error: CatalogError) {
    let failure = Failure("\(error)", error.cause)
    switch error {
    case .bundleRefused(_, let diagnostics), .changedWhileCopied(_, let diagnostics):
      self = .bundle(diagnostics.map(BundleDiagnostic.init), failure)
    case .bundleInsideCatalog: self = .argument(failure)
    case .appNotInstalled(let id, _), .extensionNotInstalled(let id, _): self = .notInstalled(id, failure)
    case .contentPending: self = .contentPending(failure)
    case .extensionRunning: self = .extensionRunning(failure)
    case .changed, .linksChanged, .damaged, .digest: self = .installation(failure)
    case .systemCall: self = .installation(failure)
    }
  }

  /// Creates an error from an error of the store.
  package init(_ error: StoreError) {
    let failure = Failure("\(error)", error.cause)
    switch error {
    case .noStateRoot, .notADirectory, .foreignOwner, .writableByOthers, .readOnlyFileSystem, .notPermitted,
      .unknownLayout, .differentFileSystems, .invalidPath:
      self = .stateDirectory(failure)
    case .noSpace, .reserveReached: self = .insufficientSpace(failure)
    case .invalidIdentifier, .invalidPermissionSetting, .tooManyAssets, .invalidAssetID, .tooManyDevices,
      .invalidDeviceName, .contextTooLarge, .invalidConsumerName, .assets, .keyAlreadyBound, .keyNotBound:
      self = .argument(failure)
    case .refused: self = .system(failure)
    case .system(let cause): self = cause.errno.isOutOfSpace ? .insufficientSpace(failure) : .system(failure)
    default: self = .store(failure)
    }
  }

  /// Creates an error from the error of a session that was not started, or was not migrated.
  package init(_ error: SessionError) {
    let message = error.message
    switch error {
    case .camera(.source(let source)) where source.reason == .stopped: self = .cancelled
    case .camera: self = .camera(Failure(message))
    case .microphone: self = .microphone(Failure(message))
    case .foregroundOccupied(let holder):
      let failure = Failure(message)
      self = .foregroundOccupied(session: holder?.session, extensionID: holder?.extensionID, failure)
    case .insufficientSpace: self = .insufficientSpace(Failure(message))
    case .store(.refused): self = .system(Failure(message))
    case .store(let cause): self = .store(Failure(message, cause.cause))
    case .preview(let cause), .host(let cause): self = .system(Failure(message, cause))
    }
  }

  /// Creates an error from the reason why an extension is not launched.
  package init(_ error: ExtensionLaunchError) {
    switch error {
    case .catalog(let error): self.init(error)
    case .policy(let error): self.init(error)
    case .audit(let error): self = .audit(Failure("\(error)"))
    case .store(let error): self.init(error)
    }
  }

  /// Creates an error from the reason why a policy cannot be used.
  package init(_ error: PolicyFindingError) {
    if case .unreadable(let cause) = error {
      self = .policy(Failure("\(error)", cause))
    } else {
      self = .policy(Failure("\(error)"))
    }
  }
}

extension CatalogError {
  /// The failed system call, or `nil` if none failed.
  fileprivate var cause: SystemCallError? { if case .systemCall(let error) = self { error } else { nil } }
}

extension StoreError {
  /// The failed system call, or `nil` if none failed.
  fileprivate var cause: SystemCallError? {
    switch self {
    case .system(let error), .invalidPath(let error): error
    default: nil
    }
  }
}
