// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxPolicy
package import SessionStore

/// What somebody else knows of the machine when a control is pressed.
package struct LaunchMoment: Hashable, Sendable {
  /// Where it is pressed.
  package var surface: ControlSurface
  /// Whether the machine is locked.
  package var lock: LockState
  /// Whether the person has unlocked it since it was started.
  package var firstUnlock: LaunchCircumstances.FirstUnlock
  /// Whether there is a camera.
  package var camera: LaunchCircumstances.CameraPresence
  /// The devices that were named, by what they are called, where the person has selected some.
  package var devices: [PermissionSubject: String] = [:]
  /// What the person has answered who wants to be asked each time.
  package var answers: [PermissionSubject: Bool] = [:]

  /// Describes a moment.
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
  /// The circumstances of one moment, with what the state root and the administrator say. A control never grants a
  /// permission, so nothing is granted here.
  package init(
    _ moment: LaunchMoment,
    _ extension: Result<InstalledExtension, CatalogError>,
    control: CaptureControl.Authentication = .notNeeded,
    app: AppStore,
    administration: Administration,
    opener: any ApplicationOpening
  ) {
    self.init(
      surface: moment.surface,
      lock: moment.lock,
      firstUnlock: moment.firstUnlock,
      control: control,
      prohibition: administration.prohibitsLockedCapture(app.id)
    )
    switch `extension` {
    case .failure(let error): installation = .faulty(error)
    case .success(let found):
      do throws(CatalogError) { try found.verifyDigest(.unlessUnchanged) } catch {
        installation = .faulty(error)
      }
      camera = Self.camera(found, app, administration, moment)
    }
    seat = Self.seat(app.root)
    // What cannot be read now is refused, with its reason, when the session begins.
    let reserve = Self.policyReserve(`extension`)
    roomRefusal = (try? QuotaStanding.of(app, policyReserve: reserve)).flatMap { RoomRefusal($0, of: app) }
    do throws(ApplicationOpeningError) { try opener.check() } catch { opening = .impossible(error) }
  }

  /// How much of the disk the policy of an extension wants to stay free, in bytes. Those that come with Darkroom say
  /// nothing of it, and are not read for it.
  private static func policyReserve(_ found: Result<InstalledExtension, CatalogError>) -> Int64 {
    guard case .success(let found) = found, let path = found.policyPath else { return 0 }
    return ((try? PolicyFinder.find(path))?.policy.limits.freeReserve).map(Int64.init) ?? 0
  }

  private static func camera(
    _ found: InstalledExtension,
    _ app: AppStore,
    _ administration: Administration,
    _ moment: LaunchMoment
  ) -> Camera {
    guard found.manifest.frames != .none else { return .notNeeded }
    let decided: Result<AppPermissions, StoreError>
    do throws(StoreError) { decided = .success(try PermissionStore(app).read()) } catch {
      decided = .failure(error)
    }
    var resolution = PermissionResolution(found)
    (resolution.devices, resolution.answers) = (moment.devices, moment.answers)
    return .needed(resolution.resolve(decided, administration)[.camera], moment.camera)
  }

  /// Whether a session has the place in front of the person; who launches takes it with a lock, so that what changes
  /// after this look is noticed.
  private static func seat(_ root: StateRoot) -> Seat {
    (try? FileLock.isHeld(root.seatLockFile)) == true ? .taken(session: nil) : .free
  }
}
