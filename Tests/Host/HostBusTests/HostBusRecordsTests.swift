// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests of controls, the session log, storage, photos and shared files over D-Bus.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostBusRecordsTests {
  private static let manager = BusObject.root
  private static let app = BusObject.app(BusRig.app).path
  private static let control = "\(BusRig.app).shutter"

  /// Starts a server with an installed app whose extension may use the camera.
  private func installed() throws -> (BusRig, BusClient) {
    let rig = try BusRig(options: ["--lock-state", "unlocked"])
    let client = try rig.client()
    try client.call(Self.manager, .manager, "Install", .string(try rig.snapshotBundle()))
    try client.call(
      Self.app,
      .app,
      "SetPermission",
      .string("camera"),
      .string("authorized"),
      .strings([])
    )
    return (rig, client)
  }

  /// The options of a press at a place.
  private static func options(_ place: String, _ further: [(String, BusValue)] = []) -> BusValue {
    .dictionary([("place", .string(place)), ("watchdog", .double(0))] + further)
  }

  @Test func `a press of a control launches a session on the lock screen, and opens the app elsewhere`()
    throws
  {
    let (_, client) = try installed()
    let camera = ("camera", BusValue.string("pattern:64x48@30"))
    func press(_ options: BusValue) throws -> (path: String?, effect: JSONValue) {
      let reply = try client.call(Self.app, .app, "PressControl", .string(Self.control), options)
      return (reply[0].text, try reply[1].json())
    }
    let refused = #expect(throws: BusFailure.self) { _ = try press(Self.options("lockScreen")) }
    #expect(refused?.name == "org.darkroom.Host1.Error.Refused")
    let opened = try press(Self.options("elsewhere", [camera]))
    #expect(opened.path == "/" && opened.effect["effect"] == "applicationOpened")
    let pressed = try press(Self.options("lockScreen", [camera]))
    let session = try #require(pressed.path)
    let id = try BusRig.session(session)
    #expect(pressed.effect == ["effect": "session", "session": .string(id)])
    try client.signal("InterfacesAdded", of: Self.manager) { $0[0].text == session ? () : nil }
    #expect(try client.property(session, .session, "Target") == .string("\(BusRig.app)/\(Self.control)"))
    let active = try client.call(Self.manager, .manager, "ListSessions")[0].json().elements ?? []
    #expect(active.map { $0["session"] } == [.string(id)])
    try client.call(session, .session, "Terminate")
    _ = try client.signal("Ended", of: session)
    #expect(try client.call(Self.manager, .manager, "ListSessions")[0].elements?.isEmpty == true)
  }

  @Test func `a session of a control belongs to the caller unless the press is detached`() throws {
    let (rig, observer) = try installed()
    for detached in [true, false] {
      var client: BusClient? = try rig.client()
      let options = Self.options(
        "lockScreen",
        [("camera", .string("pattern:64x48@30")), ("detached", .bool(detached))]
      )
      let reply = try client?.call(Self.app, .app, "PressControl", .string(Self.control), options)
      let session = try #require(reply?.first?.text)
      client = nil
      // The service has handled the end of the connection when a later client has called.
      _ = try rig.client().property(Self.manager, .manager, "Version")
      if detached {
        #expect(try observer.property(session, .session, "State") == "running")
        try observer.call(session, .session, "Terminate")
      }
      let result = try observer.signal("Ended", of: session)[0].json()
      #expect(result["outcome"]?["kind"] == "dismissed", "\(result)")
    }
  }

  @Test func `reports each condition of a launch from the lock screen`() throws {
    let (_, client) = try installed()
    let path = BusObject.captureExtension(app: BusRig.app, "\(BusRig.app).snapshot").path
    let missing = try client.call(path, .captureExtension, "CheckReadiness", .string(""))
    #expect(missing.signature == "baa{sv}" && missing[0].bool == false)
    let checks = try missing[1].json().elements ?? []
    let unmet = checks.first { $0["condition"] == "cameraPresent" }
    #expect(unmet?["refusal"] == "cameraMissing" && unmet?["message"]?.string != nil, "\(checks)")
    let present = try client.call(path, .captureExtension, "CheckReadiness", .string("pattern"))
    let met = try present[1].json().elements?.first { $0["condition"] == "cameraPresent" }
    #expect(met == ["condition": "cameraPresent"])
    #expect(try client.property(path, .captureExtension, "LaunchDeadline").double ?? 0 > 0)
  }

  @Test func `the log, the storage limits and the usage describe the sessions`() throws {
    let (rig, client) = try installed()
    let session = try rig.launchScript(client)
    let id = BusValue.string(try BusRig.session(session))
    try client.call(session, .session, "Terminate")
    try client.call(session, .session, "GetResult")
    func manager(_ member: String, _ arguments: BusValue...) throws -> [BusValue] {
      try client.bus.call(
        BusClient.service,
        Self.manager,
        BusInterface.manager.rawValue,
        member,
        arguments
      )
    }
    let filter = BusValue.dictionary([
      ("app", .string(BusRig.app)), ("outcomes", .strings(["dismissed"])), ("limit", .uint32(5)),
    ])
    let listing = try manager("ListLog", filter)
    #expect(try listing[0].json().elements?.map { $0["session"] } == [id.json()])
    #expect(listing[1].elements?.isEmpty == true)
    let others = BusValue.dictionary([("outcomes", .strings(["violated"]))])
    #expect(try manager("ListLog", others)[0].elements?.isEmpty == true)
    #expect(try manager("GetLogRecord", id)[0].text?.contains(id.text ?? "?") == true)
    let unknown = BusValue.string("00000000-0000-4000-8000-000000000000")
    #expect(try manager("GetLogRecord", unknown)[0].text == "")
    let verified = try manager("VerifyLog", .string(""))
    let head = try #require(try verified[1].json()["head"]?.string)
    #expect(verified[0].bool == true)
    #expect(try manager("GetLogHead")[0].text == head)
    #expect(try manager("VerifyLog", .string(head))[1].json()["headComparison"] == "found")
    #expect(try client.call(Self.app, .app, "Open", .string(""))[0].text?.utf8.count == 36)
    let kind = BusValue.dictionary([("resource", .string("microphone")), ("limit", .uint32(5))])
    let uses = try manager("ListDeviceUses", kind)
    #expect(uses.count == 2 && uses.allSatisfy { $0.elements?.isEmpty == true })

    try client.call(Self.app, .app, "SetStorageLimits", .dictionary([("sessions", .int64(1))]))
    #expect(try client.call(Self.app, .app, "GetStorageLimits")[0].json() == ["sessions": 1])
    _ = try manager("SetStorageLimits", .dictionary([("files", .uint32(9))]))
    #expect(try manager("GetStorageLimits")[0].json() == ["files": 9])
    let usage = try client.call(Self.app, .app, "GetStorageUsage")[0].json()
    #expect(usage["bytes"] == 5 && usage["sessions"] == 1 && usage["refusal"] != nil, "\(usage)")
    #expect(usage["limits"]?["files"] == 9)
    #expect(try manager("EmptyTrash").signature == "t")
  }

  /// Expects that the only asset of the photo library can be selected, and is gone after its deletion.
  private func checkPhotoLibrary(_ client: BusClient, _ asset: String) throws {
    let assets = BusValue.strings([asset])
    // An app may see what it has added.
    #expect(try client.call(Self.app, .app, "GetPhotoSelection")[0].json() == [.string(asset)])
    try client.call(Self.app, .app, "SelectPhotoAssets", .strings([]))
    #expect(try client.call(Self.app, .app, "GetPhotoSelection")[0].elements?.isEmpty == true)
    try client.call(Self.app, .app, "SelectPhotoAssets", assets)
    #expect(try client.call(Self.app, .app, "GetPhotoSelection")[0].json() == [.string(asset)])
    let interface = BusInterface.app.rawValue
    let unknown = client.failure(Self.app, interface, "SelectPhotoAssets", .strings(["none"]))
    #expect(unknown == "org.darkroom.Host1.Error.Argument")
    #expect(try client.call(Self.app, .app, "GetPhotoSelection")[0].json() == [.string(asset)])

    let listed = try client.call(Self.manager, .manager, "ListPhotoAssets", .dictionary([]))[0].json()
    try FileSystem.unlink(try #require(listed.elements?.first?["path"]?.string))
    let verified = try client.call(Self.manager, .manager, "VerifyPhotoLibrary")
    #expect(verified.signature == "aa{sv}t")
    #expect(try verified[0].json().elements?.map { $0["missing"] } == [true])
    #expect(try client.call(Self.manager, .manager, "RecoverPhotoLibrary").signature == "t")
    try client.call(Self.manager, .manager, "DeletePhotoAsset", .string(asset))
    let rest = try client.call(Self.manager, .manager, "ListPhotoAssets", .dictionary([]))
    #expect(rest[0].elements?.isEmpty == true)
  }

  @Test func `files are added to the photo library, and shared with extensions`() throws {
    let rig = try BusRig()
    try rig.startServer(options: ["--photo-library", rig.file("library")])
    let client = try rig.client()
    try client.call(Self.manager, .manager, "Install", .string(try rig.snapshotBundle()))
    try FileSystem.replaceContents(rig.file("a.jpg"), with: Array("picture".utf8))
    let files = BusValue.strings([rig.file("a.jpg"), rig.file("missing.jpg")])
    let added = try client.call(Self.app, .app, "AddPhotoAssets", files)
    #expect(added[0].elements?.count == 1 && added[1].elements?.count == 1)
    let asset = try #require(try added[0].json().elements?.first)
    let filter = BusValue.dictionary([("app", .string(BusRig.app)), ("limit", .uint32(1))])
    #expect(try client.call(Self.manager, .manager, "ListPhotoAssets", filter)[0].json() == [asset])
    try FileSystem.makeDirectory(rig.file("copies"))
    let copy = try client.call(
      Self.manager,
      .manager,
      "ExportPhotoAsset",
      .string(asset["id"]?.string ?? ""),
      .string(rig.file("copies"))
    )
    #expect(try FileSystem.contents(try #require(copy[0].text), limit: 64) == Array("picture".utf8))
    try checkPhotoLibrary(client, asset["id"]?.string ?? "")

    try FileSystem.makeDirectory(rig.file("luts"))
    try FileSystem.replaceContents(rig.file("luts/warm.cube"), with: Array("lut".utf8))
    let set = try client.call(Self.app, .app, "PublishAssets", .string(rig.file("luts")))[0].json()
    #expect(set["files"] == 1 && set["current"] == true)
    let sets = try client.call(Self.app, .app, "ListAssetSets")[0].json().elements ?? []
    #expect(sets.map { $0["generation"] } == [set["generation"]])
    #expect(try client.call(Self.app, .app, "ClearAssets")[0].bool == true)
    #expect(try client.call(Self.app, .app, "ClearAssets")[0].bool == false)
    let relative = client.failure(Self.app, BusInterface.app.rawValue, "AddPhotoAssets", .strings(["a.jpg"]))
    #expect(relative == "org.darkroom.Host1.Error.Argument")
  }
}
