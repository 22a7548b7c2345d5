// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxPolicy
package import SessionStore

/// The conditions of a control press that are known to the caller.
package struct ControlPressContext: Hashable, Sendable {
  /// The surface on which the control is pressed.
  package var surface: ControlSurface
  /// Whether the screen is locked.
  package var lock: LockState
  /// Whether the user has unlocked the machine since it started.
  package var firstUnlock: LaunchCircumstances.FirstUnlock
  /// Whether a camera is present.
  package var camera: LaunchCircumstances.CameraPresence
  /// The names of the session's devices, by subject. They matter only if the user has selected some devices.
  package var devices: [PermissionSubject: String] = [:]
  /// The user's answers to permission prompts for this launch.
  package var answers: [PermissionSubject: Bool] = [:]

  /// Creates the conditions of a press.
  package init(
    surface: ControlSurface,
    lock: LockState,
    firstUnlock: LaunchCircumstances.FirstUnlock,
    camera: LaunchCircumstances.CameraPresence
  ) {
    self.surface = surface
    self.lock = lock
    self.firstUnlock = firstUnlock
    self.camera = camera
  }
}

extension LaunchCircumstances {
  /// Creates the circumstances of a press, with the current state of the app and the administrator's rules.
  ///
  /// A control never grants a permission, so the command line grants nothing here.
  package init(
    _ context: ControlPressContext,
    _ extension: Result<InstalledExtension, CatalogError>,
    control: CaptureControl.Authentication = .notNeeded,
    app: AppStore,
    administration: Administration,
    opener: any ApplicationOpening
  ) {
    self.init(
      surface: context.surface,
      lock: context.lock,
      firstUnlock: context.firstUnlock,
      control: control,
      prohibition: administration.prohibitsLockedCapture(app.id)
    )
    switch `extension` {
    case .failure(let error): installation = .faulty(error)
    case .success(let found):
      do throws(CatalogError) { try found.verifyDigest(.unlessUnchanged) } catch {
        installation = .faulty(error)
      }
      camera = Self.camera(found, app, administration, context)
    }
    foreground = Self.foreground(app.root)
    // An unreadable quota is reported when the session starts.
    let reserve = Self.policyReserve(`extension`)
    storageRefusal = (try? QuotaStatus.of(app, policyReserve: reserve)).flatMap {
      StorageRefusal($0, of: app)
    }
    do throws(ApplicationOpeningError) { try opener.check() } catch { opening = .impossible(error) }
  }

  /// Returns the free space that the policy of an extension requires, in bytes. The shipped policies require
  /// none and are not read.
  private static func policyReserve(_ found: Result<InstalledExtension, CatalogError>) -> Int64 {
    guard case .success(let found) = found, let path = found.policyPath else { return 0 }
    return ((try? PolicyFinder.find(path))?.policy.limits.freeReserve).map(Int64.init) ?? 0
  }

  private static func camera(
    _ found: InstalledExtension,
    _ app: AppStore,
    _ administration: Administration,
    _ context: ControlPressContext
  ) -> Camera {
    guard found.manifest.capture.frames != .none else { return .notNeeded }
    let decided: Result<AppPermissions, StoreError>
    do throws(StoreError) { decided = .success(try PermissionStore(app).read()) } catch {
      decided = .failure(error)
    }
    var resolution = PermissionResolution(found)
    (resolution.devices, resolution.answers) = (context.devices, context.answers)
    return .needed(resolution.resolve(decided, administration)[.camera], context.camera)
  }

  /// Returns whether a session is in the foreground. The launch takes the foreground lock, so a later change
  /// is detected.
  private static func foreground(_ root: StateRoot) -> Foreground {
    (try? FileLock.isHeld(root.foregroundLockFile)) == true ? .taken(session: nil) : .free
  }
}
