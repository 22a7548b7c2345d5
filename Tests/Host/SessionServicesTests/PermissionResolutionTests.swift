// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CaptureHost
import ExtensionProtocol
import SessionServices
import SessionStore
import Testing

@Suite struct PermissionResolutionTests {
  private static let app = "org.example.camera"
  private static let all = UsageDescriptions([.camera: "c", .microphone: "m", .photos: "p"])
  private static let rule = Administration.Prohibition.rule(source: "/admin")

  private func decided(_ subject: PermissionSubject, _ setting: PermissionSetting?) throws -> AppPermissions {
    var permissions = AppPermissions()
    if let setting { try permissions.set(subject, setting) }
    return permissions
  }

  private func resolution(
    _ reasons: PermissionResolution.Reasons = .both(app: all, captureExtension: all),
    granted: Set<PermissionSubject> = []
  ) -> PermissionResolution {
    PermissionResolution(app: Self.app, reasons: reasons, granted: granted)
  }

  @Test(arguments: PermissionSubject.allCases)
  func `the extension inherits the decisions of the user`(subject: PermissionSubject) throws {
    for (setting, expected) in [
      (nil, ResolvedPermission(.notDetermined, .undecided)), (.authorized, .init(.authorized, .user)),
      (.denied, .init(.denied, .user)),
    ] as [(PermissionSetting?, ResolvedPermission)] {
      let found = resolution().resolve(.success(try decided(subject, setting)), Administration())
      #expect(found[subject] == expected)
    }
  }

  @Test func `limited photo access includes the selected assets`() throws {
    var permissions = AppPermissions()
    try permissions.set(.photos, .limited, selecting: ["a"])
    let found = resolution().resolve(.success(permissions), Administration())
    #expect(found.permissions.photos == .limited)
    #expect(found.permissions.photosAddOnly == .authorized)
    #expect(found.selectedAssets == ["a"])
    let restricted = Administration(rules: [.init(source: "/admin", restricts: [.photos])])
    #expect(resolution().resolve(.success(permissions), restricted).selectedAssets == [])
  }

  @Test(arguments: [PermissionSubject.camera, .microphone])
  func `limited access permits only the selected device`(subject: PermissionSubject) throws {
    var permissions = AppPermissions()
    try permissions.set(subject, .limited, devices: ["this"])
    var resolution = resolution(granted: [subject])
    let unknown = resolution.resolve(.success(permissions), Administration())
    #expect(unknown[subject] == .init(.limited, .user))
    // Limited access without a selected device is reported to the extension as denied.
    let told = subject == .camera ? unknown.permissions.camera : unknown.permissions.microphone
    #expect(told == .denied)
    resolution.devices[subject] = "that"
    let other = resolution.resolve(.success(permissions), Administration())
    #expect(other[subject] == .init(.denied, .notSelected("that")))
    resolution.devices[subject] = "this"
    #expect(
      resolution.resolve(.success(permissions), Administration())[subject] == .init(.authorized, .user)
    )
  }

  @Test(arguments: [PermissionSubject.camera, .microphone])
  func `a permission that requires a prompt depends on the answer`(subject: PermissionSubject) throws {
    let permissions = try decided(subject, .ask)
    // Even a command-line grant does not answer the prompt.
    var resolution = resolution(granted: [subject])
    for (answer, expected) in [
      (nil, .init(.notDetermined, .promptRequired)), (false, .init(.denied, .prompted)),
      (true, .init(.authorized, .prompted)),
    ] as [(Bool?, ResolvedPermission)] {
      resolution.answers[subject] = answer
      #expect(resolution.resolve(.success(permissions), Administration())[subject] == expected)
    }
    let restricted = Administration(rules: [.init(source: "/admin", restricts: [subject])])
    let found = resolution.resolve(.success(permissions), restricted)[subject]
    #expect(found == .init(.restricted, .administrator(Self.rule)))
  }

  @Test(arguments: PermissionSubject.allCases)
  func `denies access without a usage description in a manifest`(subject: PermissionSubject) throws {
    let none = UsageDescriptions()
    let authorized = Result<AppPermissions, StoreError>.success(try decided(subject, .authorized))
    for (reasons, missing) in [
      (.both(app: none, captureExtension: Self.all), [.app]),
      (.both(app: Self.all, captureExtension: none), [.captureExtension]),
      (.both(app: none, captureExtension: none), [.app, .captureExtension]), (.app(none), [.app]),
    ] as [(PermissionResolution.Reasons, [PermissionReason.DescribingManifest])] {
      let found = resolution(reasons, granted: [subject])
      #expect(
        found.resolve(authorized, Administration())[subject]
          == .init(.denied, .missingUsageDescription(missing))
      )
      let undecided = found.resolve(.success(AppPermissions()), Administration())[subject]
      #expect(undecided == .init(.notDetermined, .missingUsageDescription(missing)))
    }
    let withoutManifest = resolution(.notNeeded).resolve(authorized, Administration())[subject]
    #expect(withoutManifest == .init(.authorized, .user))
  }

  @Test func `a command-line grant applies only to an undecided permission`() throws {
    let grant = resolution(granted: [.camera])
    for (setting, expected) in [
      (nil, ResolvedPermission(.authorized, .commandLine)), (.denied, .init(.denied, .user)),
      (.authorized, .init(.authorized, .user)),
    ] as [(PermissionSetting?, ResolvedPermission)] {
      let found = grant.resolve(.success(try decided(.camera, setting)), Administration())
      #expect(found[.camera] == expected)
    }
    let restricted = Administration(rules: [.init(source: "/admin", restricts: [.camera])])
    let found = grant.resolve(.success(AppPermissions()), restricted)
    #expect(found[.camera] == .init(.restricted, .administrator(Self.rule)))
    #expect(found[.microphone] == .init(.notDetermined, .undecided))
  }

  @Test func `denies everything if the permissions cannot be read`() {
    let error = StoreError.permissionsDamaged(app: Self.app, path: "/p", .tooLarge)
    let found = resolution(granted: Set(PermissionSubject.allCases)).resolve(
      .failure(error),
      Administration()
    )
    for subject in PermissionSubject.allCases {
      #expect(found[subject] == .init(.denied, .unreadable(error)))
    }
    let broken = Administration(fault: .damaged(path: "/admin", .tooLarge))
    let restricted = resolution().resolve(.success(AppPermissions()), broken)
    #expect(PermissionSubject.allCases.allSatisfy { restricted[$0].status == .restricted })
  }
}
