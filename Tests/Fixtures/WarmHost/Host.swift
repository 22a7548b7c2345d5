// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import Prewarming
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// A command interpreter for prewarming tests.
final class PrewarmCommandHandler {
  let pool: PrewarmPool
  private let root: StateRoot
  private let extensionID: String
  private let runner: SessionRunner

  init(_ root: StateRoot, _ extensionID: String, _ limits: PrewarmPool.Limits) throws {
    self.root = root
    self.extensionID = extensionID
    pool = try PrewarmPool(stateRoot: root, limits: limits)
    runner = SessionRunner(stateRoot: root, pool: pool)
  }

  /// Executes one command and returns its result:
  ///
  /// - `start CHANGE…` prewarms an extension.
  /// - `await COUNT` waits until COUNT extensions are prewarmed.
  /// - `settle` waits until no start or termination is in progress, and returns the prewarmed sessions.
  /// - `change CHANGE…` changes the machine.
  /// - `run CHANGE…` runs a session.
  /// - `ends` returns the number of terminated prewarmed sessions by reason.
  /// - `end REASON [COUNT]` waits for COUNT terminations with a reason.
  /// - `context` sets the app context.
  /// - `close` terminates all prewarmed sessions.
  func execute(_ words: [String]) throws -> JSONValue {
    let rest = Array(words.dropFirst())
    switch words.first {
    case "start":
      let heldRequest = try request(rest)
      try pool.prepare(for: heldRequest.request)
      return [:]
    case "await":
      let count = rest.first.flatMap { Int($0) } ?? 0
      wait { self.pool.prewarmedSessions.count >= count }
      return waiting
    case "settle":
      wait { self.pool.isIdle }
      return pool.isIdle ? waiting : ["error": "the pool did not become idle in time"]
    case "end":
      guard let end = rest.first.flatMap(PrewarmEndReason.init) else { return ["error": "unknown reason"] }
      let least = rest.count > 1 ? Int(rest[1]) ?? 1 : 1
      wait { self.pool.ends[end] ?? 0 >= least }
      let count = pool.ends[end] ?? 0
      return count >= least ? ["count": .integer(Int64(count))] : ["error": .string("\(count) have ended so")]
    case "change":
      var heldRequest = try request([])
      for change in rest { try apply(change, in: &heldRequest.request, found()) }
      return [:]
    case "run":
      let heldRequest = try request(rest)
      let report = try runner.run(heldRequest.request, control: NoControl())
      return ["record": report.record.json, "content": report.contentPath.map(JSONValue.string) ?? .null]
    case "ends":
      return .object(pool.ends.map { JSONValue.Member($0.key.rawValue, .integer(Int64($0.value))) })
    case "close":
      pool.close()
      return [:]
    case "context":
      try AppContextStore(root.app(try found().app.id)).set(.string(rest.joined(separator: " ")))
      return [:]
    default: return ["error": "what?"]
    }
  }

  /// The prewarmed sessions.
  private var waiting: JSONValue {
    ["waiting": .array(pool.prewarmedSessions.map { .string($0.description) })]
  }

  /// Waits for a condition, at most two minutes.
  private func wait(_ condition: () -> Bool) {
    let end = MonotonicClock.now + 120_000_000_000
    while !condition(), MonotonicClock.now < end { MonotonicClock.sleep(milliseconds: 1) }
  }
}

// MARK: - Requests

extension PrewarmCommandHandler {
  /// A request and the lock on its installation.
  private struct HeldRequest: ~Copyable {
    var request: SessionRequest
    let hold: DirectoryLock?
  }

  private func found() throws -> InstalledExtension {
    try AppCatalog(
      appsDirectory: root.appsDirectory,
      groupsDirectory: root.groupsDirectory,
      validator: ManifestValidator(policyNames: PolicyFinder.shippedNames)
    ).find(extensionID)
  }

  private func request(_ changes: [String]) throws -> HeldRequest {
    let installed = try found()
    let hold = try installed.hold()
    var choices = ExtensionLaunch.Choices()
    choices.camera = "pattern:64x48@60"
    var request = try ExtensionLaunch.request(installed, root, choices)
    request.dependencies = .fixed(Permissions(camera: .authorized))
    request.times.watchdog = .off
    for change in changes { try apply(change, in: &request, installed) }
    return HeldRequest(request: request, hold: hold)
  }

  /// Applies one change to the request or the machine.
  private func apply(
    _ change: String,
    in request: inout SessionRequest,
    _ installed: InstalledExtension
  ) throws {
    switch change {
    case "policy": request.extension.policyDigest = "another"
    case "resolution": request.subject.policy.description += "."
    case "manifest":
      request.extension.installed?.pinned.manifest = installed.pinned.executable ?? installed.pinned.manifest
    case "program": try updateChangeTime(installed.executablePath)
    case "bundle": try updateChangeTime(installed.path)
    case "arguments": request.subject.arguments.append("another")
    case "environment": request.subject.environment.append(.init("ANOTHER", "value"))
    case "shown": request.subject.readOnly.append("/srv")
    case "own": request.subject.readOnly.append("\(FileSystem.directoryName(root.path))/shown")
    case "permissions": request.dependencies.permissions = FixedPermissions(Permissions(camera: .denied))
    case "locked": request.dependencies.lock = FixedLockState(.locked)
    case "rules": request.lockDismissal = .always
    case "surface": request.dependencies.launch = LaunchOrigin(.elsewhere)
    case "echoed":
      let echo = try FileSystem.open("\(root.path)/../echo", [.write, .create])
      request.standard = .logged(echo: echo.release())
    case "camera": request.devices.camera = "pattern:128x96@60"
    case "assets":
      let directory = "\(root.path)/../assets-\(MonotonicClock.now)"
      try FileSystem.makeDirectory(directory)
      try FileSystem.replaceContents("\(directory)/file", with: Array(directory.utf8))
      _ = try SharedAssets(request.extension.app).publish(directory)
    case "quota":
      _ = try QuotaStore(root).change { $0.apps[request.extension.app.id] = AppQuota(bytes: 1 << 20) }
    default: throw UnknownChange(name: change)
    }
  }

  /// Updates the change time of a file without changing it.
  private func updateChangeTime(_ path: String) throws {
    let file = try FileSystem.open(path, .read)
    try file.setPermissions(file.status().permissions)
  }

  private struct UnknownChange: Error { var name: String }
}
