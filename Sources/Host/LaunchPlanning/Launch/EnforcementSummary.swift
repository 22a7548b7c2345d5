// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

extension LaunchPlan {
  /// The enforcement that a launch with this plan achieves.
  ///
  /// The launch fails unless every step of the plan succeeds, so the plan describes the actual enforcement.
  package var enforcement: SessionRecord.Enforcement {
    let layers = identity == .restricted ? restrictedLayers : enforcedLayers + [timeLayer, landlockLayer]
    let isFull = layers.allSatisfy { [.enforced, .degraded].contains($0.state) }
    let denials =
      identity == .restricted ? DenialMechanisms.all(landlockABI: LandlockSupport.abi).map(\.record) : []
    return SessionRecord.Enforcement(status: isFull ? .full : .partial, layers: layers, denials: denials)
  }

  private var timeLayer: SessionRecord.Layer {
    guard isolation.clocks != nil else {
      return .init(
        name: Layer.timeNamespace.rawValue,
        state: .missing,
        detail: "the clocks reveal when the machine was started (hiding it requires Linux 6.3)"
      )
    }
    return .init(
      name: Layer.timeNamespace.rawValue,
      state: .enforced,
      detail: "the clocks start with the session"
    )
  }

  var landlockLayer: SessionRecord.Layer {
    guard let landlock = restrictions.landlock else {
      return .init(
        name: Layer.landlock.rawValue,
        state: .missing,
        detail: "unavailable on this kernel; the policy lists it under bestEffort"
      )
    }
    return .init(
      name: Layer.landlock.rawValue,
      state: LandlockDiagnosis.state(abi: LandlockSupport.abi),
      detail: "ABI \(LandlockSupport.abi), \(landlock.rules.count) rules"
    )
  }

  private var enforcedLayers: [SessionRecord.Layer] {
    func layer(_ layer: Layer, _ detail: String? = nil) -> SessionRecord.Layer {
      SessionRecord.Layer(name: layer.rawValue, state: .enforced, detail: detail)
    }
    return [
      layer(.userNamespace, userDetail), layer(.mountNamespace), layer(.pidNamespace),
      layer(.networkNamespace),
      layer(.ipcNamespace), layer(.utsNamespace), layer(.cgroupNamespace),
      layer(.root, "\(root.count { !$0.isLayerBase }) entries, read-only"),
      layer(.capabilities, "none of \(restrictions.lastCapability + 1) in any set"), layer(.noNewPrivileges),
      seccompLayer,
      layer(
        .limits,
        "\(limits.resources.count) rlimits, \(limits.userNamespace.count) of the user namespace"
      ),
      layer(.descriptors, "\(descriptors.count) passed, all others closed"), layer(.identity, groupsDetail),
    ]
  }

  /// The seccomp layer. The filter of a learning session is open, so its record must not report it as
  /// enforced.
  private var seccompLayer: SessionRecord.Layer {
    guard case .learned = restrictions.refusals else {
      return SessionRecord.Layer(name: Layer.seccomp.rawValue, state: seccompState, detail: seccompDetail)
    }
    return SessionRecord.Layer(
      name: Layer.seccomp.rawValue,
      state: .learning,
      detail:
        "calls that some policy could allow were allowed and recorded; calls that no policy can allow were refused"
    )
  }

  /// A filter without a listener refuses the same calls, but the refusals are not reported.
  var seccompState: SessionRecord.Layer.State { restrictions.refusals == .reported ? .enforced : .degraded }

  var seccompDetail: String {
    let reports =
      restrictions.refusals == .reported
      ? "refusals are reported"
      : "refusals are not reported, because another supervisor receives the seccomp user notifications of this process"
    return "\(restrictions.filter.count / SeccompFilter.instructionSize) instructions, \(reports)"
  }

  private var userDetail: String {
    switch identity {
    case .caller: "UID \(LaunchPlan.innerUser) inside is the caller's UID outside"
    case .restricted: "none"
    case .other(let user, _):
      "UID \(LaunchPlan.innerUser) inside is UID \(user) outside, which no other process has"
    }
  }

  /// Only root can drop supplementary groups. They matter only for files that are visible in the root.
  var groupsDetail: String? {
    !hasSessionUID && CurrentProcess.hasSupplementaryGroups
      ? "the caller's supplementary groups are kept: only root can drop them" : nil
  }

  /// Whether the extension runs with another UID than the host.
  private var hasSessionUID: Bool {
    if case .other = identity { true } else { false }
  }
}

extension SessionRecord.Enforcement {
  /// Returns a copy with results that are known only after the launch, and with the layer that limits the
  /// session's processes.
  package func adding(_ process: borrowing SandboxedProcess, _ layer: SessionRecord.Layer)
    -> SessionRecord.Enforcement
  {
    var result = self
    if process.hasReusedNetwork {
      result.note(.networkNamespace, "reused from an exited session, which could not change it")
    }
    if let fault = process.findings.layerFault {
      result.degrade(
        .root,
        ", but locks on shown files are shared with the host, because overlayfs could not be mounted: \(fault)"
      )
    }
    if let fault = process.findings.namespaceLimitsFault {
      result.degrade(
        .limits,
        ", but the limits of the user namespace are not set, because /proc/sys/user cannot be written: \(fault)"
      )
    }
    if let fault = process.findings.keyringFault {
      let hasDetail = layers.contains { $0.name == Layer.identity.rawValue && $0.detail != nil }
      result.degrade(
        .identity,
        (hasDetail ? "; " : "")
          + "the host's session keyring is kept, because keyctl(2) is refused to the host and to the extension: "
          + "\(fault)"
      )
    }
    result.layers.append(layer)
    if layer.state == .missing { result.status = .partial }
    return result
  }

  /// Marks an enforced layer as degraded and adds the reason to its detail.
  private mutating func degrade(_ layer: Layer, _ words: String) {
    guard let index = layers.firstIndex(where: { $0.name == layer.rawValue }) else { return }
    if layers[index].state == .enforced { layers[index].state = .degraded }
    note(layer, words)
  }

  /// Adds text to the detail of a layer.
  private mutating func note(_ layer: Layer, _ words: String) {
    guard let index = layers.firstIndex(where: { $0.name == layer.rawValue }) else { return }
    layers[index].detail = (layers[index].detail ?? "") + words
  }
}
