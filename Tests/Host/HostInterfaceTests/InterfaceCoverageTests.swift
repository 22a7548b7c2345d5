// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests that programs in any language have the functions of the host library.
@Suite struct InterfaceCoverageTests {
  /// The method or notification for each public function of the module `DarkroomHost`. The reference page has the
  /// reasons for the functions without a method.
  private static let methods: [String: String] = [
    "AdjustableLockState.set": "lock/set",
    "AppAssets.clear": "assets/clear", "AppAssets.list": "assets/list", "AppAssets.publish": "assets/publish",
    "AppContent.changes": "content/watch", "AppContent.export": "content/export",
    "AppContent.invalidate": "content/invalidate", "AppContent.list": "content/list",
    "AppContent.quarantine": "content/quarantine",
    "AppContext.clear": "context/clear", "AppContext.get": "context/get", "AppContext.set": "context/set",
    "AppPermissionSettings.get": "permissions/get", "AppPermissionSettings.reset": "permissions/reset",
    "AppPermissionSettings.resetAll": "permissions/reset", "AppPermissionSettings.set": "permissions/set",
    "CameraSelection.device": "session/launch", "CameraSelection.file": "session/launch",
    "CameraSelection.pipeWire": "session/launch", "CameraSelection.testPattern": "session/launch",
    "CapturePolicy.difference": "policy/difference", "CapturePolicy.explain": "policy/explain",
    "CapturePolicy.verify": "policy/verify",
    "ContentChanges.Iterator.next": "content/changed", "ContentChanges.makeAsyncIterator": "content/watch",
    "DarkroomHost.access": "policy/access", "DarkroomHost.activeSessions": "host/sessions",
    "DarkroomHost.cameras": "device/listCameras", "DarkroomHost.capture": "device/capture",
    "DarkroomHost.diagnose": "host/diagnose",
    "DarkroomHost.image": "viewfinder/image", "DarkroomHost.launch": "session/launch",
    "DarkroomHost.makeLockStateSource": "lock/get", "DarkroomHost.microphones": "device/listMicrophones",
    "DarkroomHost.press": "control/press", "DarkroomHost.prewarm": "host/prewarm",
    "DarkroomHost.readiness": "control/readiness", "DarkroomHost.recover": "host/recover",
    "HostKeyBindings.bind": "control/bind", "HostKeyBindings.list": "control/bindings",
    "HostKeyBindings.unbind": "control/unbind",
    "HostLock.lock": "lock/lock", "HostLock.status": "lock/status",
    "HostPasscode.clear": "passcode/clear", "HostPasscode.isSet": "passcode/get",
    "HostPasscode.set": "passcode/set",
    "HostPhotos.add": "photos/add", "HostPhotos.assets": "photos/list", "HostPhotos.delete": "photos/delete",
    "HostPhotos.export": "photos/export", "HostPhotos.recover": "photos/recover",
    "HostPhotos.select": "photos/select", "HostPhotos.selection": "photos/selection",
    "HostPhotos.verify": "photos/verify",
    "HostStorage.emptyTrash": "host/emptyTrash", "HostStorage.limits": "storage/limits",
    "HostStorage.setLimits": "storage/setLimits", "HostStorage.usage": "storage/usage",
    "HostedApp.open": "apps/open",
    "HostedApps.content": "content/list", "HostedApps.find": "apps/find",
    "HostedApps.install": "apps/install",
    "HostedApps.list": "apps/list", "HostedApps.uninstall": "apps/uninstall",
    "HostedApps.validate": "apps/validate",
    "HostedSession.adjust": "session/adjust", "HostedSession.cancel": "session/press",
    "HostedSession.dismiss": "session/dismiss", "HostedSession.pointer": "session/pointer",
    "HostedSession.press": "session/press", "HostedSession.release": "session/press",
    "HostedSession.tap": "session/press", "HostedSession.terminate": "session/terminate",
    "HostedSession.withNextFrame": "viewfinder/next",
    "SessionEvents.Iterator.next": "session/event", "SessionEvents.makeAsyncIterator": "session/event",
    "SessionHistory.deviceUses": "log/deviceUses",
    "SessionHistory.entries": "log/list", "SessionHistory.head": "log/head",
    "SessionHistory.record": "log/record", "SessionHistory.verify": "log/verify",
    "SessionSound.Iterator.next": "sound/next", "SessionSound.makeAsyncIterator": "sound/open",
    "ViewfinderFrame.withPixels": "viewfinder/open", "ViewfinderFrame.withPlane": "viewfinder/open",
  ]

  @Test func `each function of the host library has a method, or a documented reason`() throws {
    let functions = try Self.functions()
    let documented = try Self.functionsWithReason()
    #expect(functions.count > 80 && !documented.isEmpty)
    #expect(documented.isDisjoint(with: Self.methods.keys))
    let known = documented.union(Self.methods.keys)
    #expect(functions.subtracting(known).isEmpty, "without a method and without a reason")
    #expect(known.subtracting(functions).isEmpty, "not in the library")
  }

  @Test func `each method or notification for a function of the library is in the description`() {
    let document = InterfaceSchemas.document
    let calls = (document["methods"]?.elements ?? []) + (document["x-notifications"]?.elements ?? [])
    let names = Set(calls.compactMap { $0["name"]?.string })
    #expect(Set(Self.methods.values).subtracting(names).isEmpty)
  }

  /// Returns the names of the public functions of the library, with their types.
  private static func functions() throws -> Set<String> {
    Set(
      try lines("Sources/Host/DarkroomHost/API.txt").compactMap { line in
        let parts = line.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("public ") else { return nil }
        let words = parts[1].split { " (<".contains($0) }
        guard let keyword = words.firstIndex(of: "func"), keyword + 1 < words.count else { return nil }
        return "\(parts[0]).\(words[keyword + 1])"
      }
    )
  }

  /// Returns the names of the functions in the table of the reference page. Each of them must have a reason.
  private static func functionsWithReason() throws -> Set<String> {
    let all = try lines("Sources/Darkroom.docc/Reference/HostInterface.md")
    let heading = "## Functions of the host library without a method"
    let start = try #require(all.firstIndex { $0 == heading })
    let rows = all[(start + 1)...].prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| `") }
    return Set(
      try rows.map { row in
        let cells = row.split(separator: "|")
        try #require(cells.count == 2 && cells[1].hasSuffix(". "), "\(row)")
        return String(cells[0].filter { $0 != "`" && $0 != " " })
      }
    )
  }

  private static func lines(_ path: String) throws -> [Substring] {
    let bytes = try #require(try FileSystem.contents("\(PackageDirectory.path)/\(path)", limit: 1 << 20))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
