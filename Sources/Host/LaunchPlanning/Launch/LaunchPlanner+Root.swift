// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy

/// Plans the root of a session: the visible files of the host, and their Landlock rules.
extension LaunchPlanner {
  /// Returns the contents of a session's root and its Landlock ruleset, or `nil` for the ruleset without
  /// Landlock.
  func root(
    _ subject: LaunchTarget,
    _ session: Session
  ) throws(PlanError) -> (contents: SessionRoot, landlock: LandlockRuleset?) {
    let kind = SandboxRootCache.Kind(
      program: subject.program,
      shown: subject.readOnly,
      readOnly: subject.policy.readOnly,
      devices: subject.policy.devices,
      hasLibrary: session.files.library != nil,
      hasAssets: session.files.assets != nil,
      hasContextFile: session.contextFile != nil
    )
    // The mount table is read before any path lookup, so that no change is missed.
    let reading = mounts.reading
    if let reading, let known = roots.root(of: kind, mounts: reading) {
      return (known.contents(for: session, scratchBytes: subject.policy.scratchBytes), known.landlock)
    }
    let root = try makeRoot(subject, session, reading?.points ?? MountPoints(table: nil))
    let landlock = landlockABI > 0 ? landlock(root) : nil
    guard let reading else { return (.single(root.items), landlock) }
    let known = SandboxRootCache.Entry(kind: kind, root: root, landlock: landlock, mounts: reading)
    roots.keep(known)
    return (known.contents(for: session, scratchBytes: subject.policy.scratchBytes), landlock)
  }

  private func makeRoot(
    _ subject: LaunchTarget,
    _ session: Session,
    _ mounts: MountPoints
  ) throws(PlanError) -> SandboxRoot {
    var root = SandboxRoot(mounts: mounts)
    // The state root may not exist before the first session.
    let state = (try? root.lookups.resolve(stateRoot).path) ?? stateRoot
    for path in subject.policy.readOnly {
      // A policy must not show another app's container under any path.
      if let real = try? root.lookups.resolve(path.path).path { try Self.refuse(path.path, real, in: state) }
      try root.show(path.path, path.presence)
    }
    switch subject.program {
    case .bundled(let directory, _): try root.show(directory, as: "/extension")
    case .file(let path):
      try Self.refuseStateRoot(path, &root.lookups, in: state)
      try root.showFile(path, as: subject.program.sandboxPath)
    case .shown: break
    }
    for device in subject.policy.devices { root.device(device.value) }
    root.addSession(session, scratchBytes: subject.policy.scratchBytes)
    // The user's paths come last, because some are in the session's own directories.
    for path in subject.readOnly {
      try Self.refuseReservedPath(path)
      try Self.refuseStateRoot(path, &root.lookups, in: state)
      try root.showUserPath(path)
    }
    root.addSharedLayer(for: session.identity)
    return root
  }

  /// Refuses paths that the user may not show. A user can weaken the sandbox, but must not show another app's
  /// container.
  func refuseForbidden(_ path: String) throws(PlanError) {
    try Self.refuseReservedPath(path)
    try refuseStateRoot(path)
  }

  /// Refuses a path whose real path is in the state root, or is a parent of it.
  func refuseStateRoot(_ path: String) throws(PlanError) {
    var lookups = PathLookups()
    let state = (try? lookups.resolve(stateRoot).path) ?? stateRoot
    try Self.refuseStateRoot(path, &lookups, in: state)
  }

  /// Refuses a path that the sandbox creates itself, and a path that is not normalized.
  static func refuseReservedPath(_ path: String) throws(PlanError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // The root directory contains everything, including the state root.
    guard path != "/" else { throw .forbiddenPath(path, reason: .stateRoot) }
    guard path.hasPrefix("/"),
      !parts.dropFirst().contains(where: { ["", ".", ".."].contains($0) })
    else { throw .forbiddenPath(path, reason: .notNormalized) }
    // The session owns these directories with all their contents; in other directories it owns only single
    // names.
    let throughout = ["/session", "/container", "/library", "/assets", "/extension", "/proc", "/dev", "/sys"]
    let isOwn = throughout.contains { path == $0 || path.hasPrefix("\($0)/") }
    if isOwn || ["/tmp", "/var/tmp", "/etc"].contains(path) { throw .forbiddenPath(path, reason: .reserved) }
  }

  private static func refuseStateRoot(
    _ path: String,
    _ lookups: inout PathLookups,
    in state: String
  ) throws(PlanError) {
    let real: String
    do { real = try lookups.resolve(path).path } catch { throw .path(error) }
    try refuse(path, real, in: state)
  }

  /// Refuses a path whose real path `real` is in the state root, or is a parent of it.
  static func refuse(_ path: String, _ real: String, in state: String) throws(PlanError) {
    if real == state || real.hasPrefix(state + "/") || state.hasPrefix(real + "/") {
      throw .forbiddenPath(path, reason: .stateRoot)
    }
  }

  private func landlock(_ root: SandboxRoot) -> LandlockRuleset {
    let abi = landlockABI
    let readOnly = LandlockRights.readOnly(abi: abi)
    // The kernel refuses a rule for a file with rights that apply only to directories.
    let fileAccess = readOnly.subtracting(.readDirectory).rawValue
    var rules = root.readableDirectories.map { LandlockRuleset.Rule(path: $0, access: readOnly.rawValue) }
    rules += root.readableFiles.map { .init(path: $0, access: fileAccess) }
    rules += root.devices.map { .init(path: $0, access: LandlockRights.device(abi: abi).rawValue) }
    rules += [
      .init(path: "/session", access: LandlockRights.session(abi: abi).rawValue),
      .init(path: "/container", access: LandlockRights.scratch(abi: abi).rawValue),
      .init(path: "/library", access: readOnly.subtracting(.execute).rawValue),
    ]
    if root.hasAssets {
      rules.append(.init(path: "/assets", access: readOnly.subtracting(.execute).rawValue))
    }
    rules += [
      .init(path: "/proc", access: readOnly.subtracting(.execute).rawValue),
      // The sandbox creates the names in these directories; access to the files depends on their own rules.
      .init(path: "/dev", access: LandlockRights.readDirectory.rawValue),
      .init(path: "/etc", access: LandlockRights.readDirectory.rawValue),
    ]
    return LandlockRuleset(
      files: LandlockRights.all(abi: abi).rawValue,
      network: LandlockNetworkRights.all(abi: abi).rawValue,
      scopes: LandlockScopes.all(abi: abi).rawValue,
      rules: rules
    )
  }
}
