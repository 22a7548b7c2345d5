// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy

/// The root of a session: which files of the host it is shown, and what Landlock allows there.
extension LaunchPlanner {
  /// What a session's root holds, and what Landlock makes of it; nil where there is no Landlock.
  func root(
    _ subject: LaunchSubject,
    _ session: Session
  ) throws(PlanError) -> (contents: SessionRoot, landlock: LandlockRuleset?) {
    let kind = KnownRoots.Kind(
      program: subject.program,
      shown: subject.readOnly,
      readOnly: subject.policy.readOnly,
      devices: subject.policy.devices,
      hasLibrary: session.library != nil,
      hasAssets: session.assets != nil,
      hasContextFile: session.contextFile != nil
    )
    // Before anything is looked at, so that no change is missed.
    let reading = mounts.reading
    if let reading, let known = roots.root(of: kind, mounts: reading) {
      return (known.contents(for: session, scratchBytes: subject.policy.scratchBytes), known.landlock)
    }
    let root = try makeRoot(subject, session, reading?.points ?? MountPoints(table: nil))
    let landlock = landlockABI > 0 ? landlock(root) : nil
    guard let reading else { return (.single(root.items), landlock) }
    let known = KnownRoots.Known(kind: kind, root: root, landlock: landlock, mounts: reading)
    roots.keep(known)
    return (known.contents(for: session, scratchBytes: subject.policy.scratchBytes), landlock)
  }

  private func makeRoot(
    _ subject: LaunchSubject,
    _ session: Session,
    _ mounts: MountPoints
  ) throws(PlanError) -> SandboxRoot {
    var root = SandboxRoot(mounts: mounts)
    // Before the first session there is no state root, and nothing in it.
    let state = (try? root.lookups.resolve(stateRoot).path) ?? stateRoot
    for path in subject.policy.readOnly {
      // No policy can show another app's container, however it names the place.
      if let real = try? root.lookups.resolve(path.path).path { try Self.refuse(path.path, real, in: state) }
      try root.show(path.path, path.presence)
    }
    switch subject.program {
    case .bundled(let directory, _): try root.show(directory, as: "/extension")
    case .file(let path):
      try Self.refuseState(path, &root.lookups, in: state)
      try root.showAlone(path, as: subject.program.insidePath)
    case .shown: break
    }
    for device in subject.policy.devices { root.device(device.value) }
    root.addSession(session, scratchBytes: subject.policy.scratchBytes)
    // Last, because some lie in the session's own directories.
    for path in subject.readOnly {
      try Self.refuseOwnPlace(path)
      try Self.refuseState(path, &root.lookups, in: state)
      try root.showByRequest(path)
    }
    root.layGround(for: session.identity)
    return root
  }

  /// What a person shows can weaken a session, but never so far that it sees another app's container.
  func refuseForbidden(_ path: String) throws(PlanError) {
    try Self.refuseOwnPlace(path)
    try refuseState(path)
  }

  /// Refuses what lies in the state root or around it, by whatever name.
  func refuseState(_ path: String) throws(PlanError) {
    var lookups = PathLookups()
    let state = (try? lookups.resolve(stateRoot).path) ?? stateRoot
    try Self.refuseState(path, &lookups, in: state)
  }

  /// Refuses a path that the sandbox makes itself, and one that is not plain.
  static func refuseOwnPlace(_ path: String) throws(PlanError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // Everything lies in it, the state of the host as well.
    guard path != "/" else { throw .forbiddenPath(path, reason: .stateRoot) }
    guard path.hasPrefix("/"),
      !parts.dropFirst().contains(where: { ["", ".", ".."].contains($0) })
    else { throw .forbiddenPath(path, reason: .notPlain) }
    // Below these, too, everything is the session's own; in the others it gets those names that are given.
    let throughout = ["/session", "/container", "/library", "/assets", "/extension", "/proc", "/dev", "/sys"]
    let isOwn = throughout.contains { path == $0 || path.hasPrefix("\($0)/") }
    if isOwn || ["/tmp", "/var/tmp", "/etc"].contains(path) { throw .forbiddenPath(path, reason: .ownPlace) }
  }

  private static func refuseState(
    _ path: String,
    _ lookups: inout PathLookups,
    in state: String
  ) throws(PlanError) {
    let real: String
    do { real = try lookups.resolve(path).path } catch { throw .path(error) }
    try refuse(path, real, in: state)
  }

  /// Refuses a path whose true name is `real`, if that lies in the state root or around it.
  static func refuse(_ path: String, _ real: String, in state: String) throws(PlanError) {
    if real == state || real.hasPrefix(state + "/") || state.hasPrefix(real + "/") {
      throw .forbiddenPath(path, reason: .stateRoot)
    }
  }

  private func landlock(_ root: SandboxRoot) -> LandlockRuleset {
    let abi = landlockABI
    let readOnly = LandlockRights.readOnly(abi: abi)
    // The kernel refuses a rule for a file with rights that only a directory can have.
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
      // The names in these two are the sandbox's own; what may be done with the files is said by their own rules.
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
