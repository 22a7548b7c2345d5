// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CaptureHost
import ExtensionProtocol
import SessionServices
import SessionStore
import Testing

/// Launch decisions: every combination of circumstances matches exactly one row of the table.
@Suite struct LaunchDecisionTests {
  private typealias AuthenticationContext = LaunchCircumstances

  private static let rule = Administration.Prohibition.rule(source: "/etc/darkroom/administration.json")
  private static let fault = CatalogError.extensionNotInstalled(id: "a.b", nearest: nil)
  private static let closed = ApplicationOpeningError.noCommand(app: "a.b")
  private static let damage = StoreError.permissionsDamaged(app: "a.b", path: "/p", .tooLarge)

  /// All resolved camera permissions with their possible reasons.
  private static let permissions: [ResolvedPermission] = [
    .init(.authorized, .user), .init(.authorized, .commandLine), .init(.denied, .user),
    .init(.notDetermined, .undecided), .init(.notDetermined, .missingUsageDescription([.captureExtension])),
    .init(.denied, .missingUsageDescription([.app])), .init(.denied, .unreadable(damage)),
    .init(.restricted, .administrator(rule)),
  ]
  private static let cameras: [AuthenticationContext.Camera] =
    [.notNeeded]
    + permissions.flatMap { permission in
      AuthenticationContext.CameraPresence.allCases.map { .needed(permission, $0) }
    }

  /// Returns every combination of circumstances.
  private static func all() -> [LaunchCircumstances] {
    var all: [LaunchCircumstances] = []
    for surface in ControlSurface.allCases {
      for lock in LockState.allCases {
        for unlock in AuthenticationContext.FirstUnlock.allCases {
          for control in [CaptureControl.Authentication.notNeeded, .required] {
            for prohibition in [nil, rule] {
              for installation in [AuthenticationContext.Installation.ready, .faulty(fault)] {
                for camera in cameras {
                  for seat in [AuthenticationContext.Foreground.free, .taken(session: "s")] {
                    for opening in [AuthenticationContext.Opening.possible, .impossible(closed)] {
                      all.append(
                        LaunchCircumstances(
                          surface: surface,
                          lock: lock,
                          firstUnlock: unlock,
                          control: control,
                          prohibition: prohibition,
                          installation: installation,
                          camera: camera,
                          seat: seat,
                          opening: opening
                        )
                      )
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return all
  }

  /// A row of the table: a condition and the resulting decision.
  private struct Row {
    let name: String
    let holds: (LaunchCircumstances) -> Bool
    let decision: LaunchDecision
  }

  private static func camera(_ circumstances: LaunchCircumstances) -> ResolvedPermission? {
    if case .needed(let permission, _) = circumstances.camera { permission } else { nil }
  }

  /// Whether the user can grant the camera permission but has not.
  private static func isAskable(_ circumstances: LaunchCircumstances) -> Bool {
    guard let permission = camera(circumstances) else { return false }
    return permission == .init(.denied, .user) || permission == .init(.notDetermined, .undecided)
  }

  /// Whether a launch at the lock screen is possible after the first unlock and permitted by the
  /// administrator.
  private static func isAtLockScreen(_ circumstances: LaunchCircumstances) -> Bool {
    circumstances.surface == .lockScreen && circumstances.firstUnlock == .happened
      && circumstances.prohibition == nil
  }

  /// Whether the control launches an installed extension.
  private static func isForExtension(_ circumstances: LaunchCircumstances) -> Bool {
    isAtLockScreen(circumstances) && circumstances.control == .notNeeded
      && circumstances.installation == .ready
  }

  /// Whether the camera does not prevent the launch.
  private static func hasCamera(_ circumstances: LaunchCircumstances) -> Bool {
    guard case .needed(let permission, let presence) = circumstances.camera else { return true }
    return permission.status == .authorized && presence == .present
  }

  private static func table() -> [Row] {
    circumstanceRows() + permissionRows() + LockState.allCases.flatMap(openingRows) + [
      Row(
        name: "an app that cannot be opened",
        holds: {
          $0.firstUnlock == .happened && $0.opening != .possible
            && ($0.surface == .elsewhere || (isAtLockScreen($0) && $0.control == .required))
        },
        decision: .refuse(.cannotOpen(closed))
      )
    ]
  }

  /// The rows that do not depend on the permission for the camera.
  private static func circumstanceRows() -> [Row] {
    [
      Row(
        name: "before the first unlock",
        holds: { $0.firstUnlock == .pending },
        decision: .refuse(.beforeFirstUnlock)
      ),
      Row(
        name: "forbidden at the lock screen",
        holds: { $0.firstUnlock == .happened && $0.surface == .lockScreen && $0.prohibition != nil },
        decision: .refuse(.forbidden(rule))
      ),
      Row(
        name: "not installed",
        holds: { isAtLockScreen($0) && $0.control == .notNeeded && $0.installation != .ready },
        decision: .refuse(.notInstalled(fault))
      ),
      Row(
        name: "no camera there",
        holds: {
          isForExtension($0) && camera($0)?.status == .authorized && !hasCamera($0)
        },
        decision: .refuse(.cameraMissing)
      ),
      Row(
        name: "the seat is taken",
        holds: { isForExtension($0) && hasCamera($0) && $0.foreground != .free },
        decision: .refuse(.foregroundOccupied(session: "s"))
      ),
      Row(
        name: "the extension, locked or not",
        holds: { isForExtension($0) && hasCamera($0) && $0.foreground == .free },
        decision: .launchExtension
      ),
    ]
  }

  /// The rows in which the camera is not permitted and cannot be.
  private static func permissionRows() -> [Row] {
    var rows: [Row] = []
    for (permission, refusal) in [
      (permissions[4], LaunchRefusal.cameraUsageDescriptionMissing([.captureExtension])),
      (permissions[5], .cameraUsageDescriptionMissing([.app])),
      (permissions[6], .permissionsUnreadable(damage)),
      (permissions[7], .cameraRestricted(rule)),
    ] {
      rows.append(
        Row(
          name: "\(permission)",
          holds: { isForExtension($0) && camera($0) == permission },
          decision: .refuse(refusal)
        )
      )
    }
    for status in [PermissionStatus.denied, .notDetermined] {
      rows.append(
        Row(
          name: "no permission and no app to ask for it: \(status)",
          holds: {
            isForExtension($0) && isAskable($0) && camera($0)?.status == status && $0.opening != .possible
          },
          decision: .refuse(.cameraNotPermitted(status))
        )
      )
    }
    return rows
  }

  /// The rows in which the app is opened.
  private static func openingRows(_ lock: LockState) -> [Row] {
    func opens(_ reason: AppDeliveryReason) -> LaunchDecision {
      lock == .locked ? .authenticateThenOpenApplication(reason) : .openApplication(reason)
    }
    return [
      Row(
        name: "no permission, \(lock)",
        holds: { isForExtension($0) && isAskable($0) && $0.opening == .possible && $0.lock == lock },
        decision: opens(.permission)
      ),
      Row(
        name: "a control that needs authentication at the lock screen, \(lock)",
        holds: {
          isAtLockScreen($0) && $0.control == .required && $0.opening == .possible && $0.lock == lock
        },
        decision: opens(.control)
      ),
      Row(
        name: "elsewhere, \(lock)",
        holds: {
          $0.surface == .elsewhere && $0.firstUnlock == .happened && $0.opening == .possible
            && $0.lock == lock
        },
        decision: opens(.control)
      ),
    ]
  }

  @Test func `every combination of circumstances matches exactly one row with its decision`() {
    let all = Self.all()
    let table = Self.table()
    #expect(all.count == 2 * 2 * 2 * 2 * 2 * 2 * 17 * 2 * 2)
    var used: Set<String> = []
    for circumstances in all {
      let rows = table.filter { $0.holds(circumstances) }
      guard rows.count == 1, let row = rows.first else {
        Issue.record("\(rows.map(\.name)): \(circumstances)")
        return
      }
      used.insert(row.name)
      guard LaunchDecision(circumstances) == row.decision else {
        Issue.record("\(row.name): \(LaunchDecision(circumstances)) for \(circumstances)")
        return
      }
    }
    #expect(used == Set(table.map(\.name)))
  }

  @Test func `every refusal has its own keyword and a sentence with a fix`() {
    let refusals = Self.table().compactMap { row -> LaunchRefusal? in
      if case .refuse(let refusal) = row.decision { refusal } else { nil }
    }
    #expect(Set(refusals.map(\.code)).count == 10)
    for refusal in refusals { #expect("\(refusal)".count > 40, "\(refusal)") }
  }
}
