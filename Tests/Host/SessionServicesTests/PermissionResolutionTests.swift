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
  func `the extension inherits what the person has decided`(subject: PermissionSubject) throws {
    for (setting, expected) in [
      (nil, ResolvedPermission(.notDetermined, .undecided)), (.authorized, .init(.authorized, .person)),
      (.denied, .init(.denied, .person)),
    ] as [(PermissionSetting?, ResolvedPermission)] {
      let found = resolution().resolve(.success(try decided(subject, setting)), Administration())
      #expect(found[subject] == expected)
    }
  }

  @Test func `limited photos come with the selected assets`() throws {
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
  func `of what is limited only what was selected can be used`(subject: PermissionSubject) throws {
    var permissions = AppPermissions()
    try permissions.set(subject, .limited, devices: ["this"])
    var resolution = resolution(granted: [subject])
    let unknown = resolution.resolve(.success(permissions), Administration())
    #expect(unknown[subject] == .init(.limited, .person))
    // Limited access without a selected device is reported to the extension as denied.
    let told = subject == .camera ? unknown.permissions.camera : unknown.permissions.microphone
    #expect(told == .denied)
    resolution.devices[subject] = "that"
    let other = resolution.resolve(.success(permissions), Administration())
    #expect(other[subject] == .init(.denied, .notSelected("that")))
    resolution.devices[subject] = "this"
    #expect(
      resolution.resolve(.success(permissions), Administration())[subject] == .init(.authorized, .person)
    )
  }

  @Test(arguments: [PermissionSubject.camera, .microphone])
  func `who wants to be asked has answered, or nothing can be used`(subject: PermissionSubject) throws {
    let permissions = try decided(subject, .ask)
    // Even a command-line grant does not answer the prompt.
    var resolution = resolution(granted: [subject])
    for (answer, expected) in [
      (nil, .init(.notDetermined, .unasked)), (false, .init(.denied, .answer)),
      (true, .init(.authorized, .answer)),
    ] as [(Bool?, ResolvedPermission)] {
      resolution.answers[subject] = answer
      #expect(resolution.resolve(.success(permissions), Administration())[subject] == expected)
    }
    let restricted = Administration(rules: [.init(source: "/admin", restricts: [subject])])
    let found = resolution.resolve(.success(permissions), restricted)[subject]
    #expect(found == .init(.restricted, .administrator(Self.rule)))
  }

  @Test(arguments: PermissionSubject.allCases)
  func `what a manifest gives no reason for cannot be used`(subject: PermissionSubject) throws {
    let none = UsageDescriptions()
    let authorized = Result<AppPermissions, StoreError>.success(try decided(subject, .authorized))
    for (reasons, missing) in [
      (.both(app: none, captureExtension: Self.all), [.app]),
      (.both(app: Self.all, captureExtension: none), [.captureExtension]),
      (.both(app: none, captureExtension: none), [.app, .captureExtension]), (.app(none), [.app]),
    ] as [(PermissionResolution.Reasons, [PermissionGround.DescribingManifest])] {
      let found = resolution(reasons, granted: [subject])
      #expect(found.resolve(authorized, Administration())[subject] == .init(.denied, .undescribed(missing)))
      let undecided = found.resolve(.success(AppPermissions()), Administration())[subject]
      #expect(undecided == .init(.notDetermined, .undescribed(missing)))
    }
    let withoutManifest = resolution(.notNeeded).resolve(authorized, Administration())[subject]
    #expect(withoutManifest == .init(.authorized, .person))
  }

  @Test func `who types the command grants only what nobody has decided`() throws {
    let grant = resolution(granted: [.camera])
    for (setting, expected) in [
      (nil, ResolvedPermission(.authorized, .commandLine)), (.denied, .init(.denied, .person)),
      (.authorized, .init(.authorized, .person)),
    ] as [(PermissionSetting?, ResolvedPermission)] {
      let found = grant.resolve(.success(try decided(.camera, setting)), Administration())
      #expect(found[.camera] == expected)
    }
    let restricted = Administration(rules: [.init(source: "/admin", restricts: [.camera])])
    let found = grant.resolve(.success(AppPermissions()), restricted)
    #expect(found[.camera] == .init(.restricted, .administrator(Self.rule)))
    #expect(found[.microphone] == .init(.notDetermined, .undecided))
  }

  @Test func `what cannot be read is denied, and nothing is granted`() {
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
