// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

extension LaunchPlan {
  /// What a launch that followed this plan has enforced.
  ///
  /// Every step of a plan is carried out or the launch fails, so the plan itself is the truth.
  package var enforcement: SessionRecord.Enforcement {
    let layers = identity == .restricted ? restrictedLayers : enforcedLayers + [timeLayer, landlockLayer]
    let isFull = layers.allSatisfy { [.enforced, .degraded].contains($0.state) }
    return SessionRecord.Enforcement(status: isFull ? .full : .partial, layers: layers)
  }

  private var timeLayer: SessionRecord.Layer {
    guard clocks != nil else {
      return .init(
        name: Layer.timeNamespace.rawValue,
        state: .missing,
        detail: "the clocks tell when the machine was started; a kernel from 6.3 on can hide it"
      )
    }
    return .init(
      name: Layer.timeNamespace.rawValue,
      state: .enforced,
      detail: "the clocks begin with the session"
    )
  }

  var landlockLayer: SessionRecord.Layer {
    guard let landlock else {
      return .init(
        name: Layer.landlock.rawValue,
        state: .missing,
        detail: "this kernel has none; the policy calls it best effort"
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
      layer(.root, "\(root.count { !$0.isGround }) entries, read-only"),
      layer(.capabilities, "none of \(lastCapability + 1) in any set"), layer(.noNewPrivileges),
      seccompLayer,
      layer(.limits, "\(limits.count) rlimits, \(namespaceLimits.count) of the user namespace"),
      layer(.descriptors, "\(descriptors.count) passed, all others closed"), layer(.identity, groupsDetail),
    ]
  }

  /// The filter; that of a session that is learned from is open, and the record must not call it anything else.
  private var seccompLayer: SessionRecord.Layer {
    guard case .learned = refusals else {
      return SessionRecord.Layer(name: Layer.seccomp.rawValue, state: seccompState, detail: seccompDetail)
    }
    return SessionRecord.Layer(
      name: Layer.seccomp.rawValue,
      state: .learning,
      detail:
        "every call that some policy could allow was let through and noted; only what no policy can allow was refused"
    )
  }

  /// A filter without a listener is no weaker, but the refused calls are not reported.
  var seccompState: SessionRecord.Layer.State { refusals == .reported ? .enforced : .degraded }

  var seccompDetail: String {
    let reports =
      refusals == .reported
      ? "what it refuses is reported"
      : "it refuses silently, because another supervisor listens to this process (seccomp user notification)"
    return "\(filter.count / SeccompFilter.instructionSize) instructions, \(reports)"
  }

  private var userDetail: String {
    switch identity {
    case .caller: "user \(LaunchPlan.innerUser) inside is the caller outside"
    case .restricted: "none"
    case .other(let user, _): "user \(LaunchPlan.innerUser) inside is \(user) outside, which is nobody else"
    }
  }

  /// The kernel lets only root give up supplementary groups; they matter only for files that the root shows.
  var groupsDetail: String? {
    !isOther && CurrentProcess.hasSupplementaryGroups
      ? "the caller's supplementary groups stay: only root can drop them" : nil
  }

  /// Whether the extension is another user than the host.
  private var isOther: Bool {
    if case .other = identity { true } else { false }
  }
}

extension SessionRecord.Enforcement {
  /// With what was found out when the session was launched, and the layer that bounds its processes.
  package func adding(_ process: borrowing SandboxedProcess, _ layer: SessionRecord.Layer)
    -> SessionRecord.Enforcement
  {
    var result = self
    if process.hasOthersNetwork {
      result.note(.networkNamespace, "one that an ended session had, which could change nothing in it")
    }
    if let fault = process.layerFault {
      result.degrade(
        .root,
        ", but locks of what is shown are the host's, because no overlayfs could be mounted: \(fault)"
      )
    }
    if let fault = process.namespaceLimitsFault {
      result.degrade(
        .limits,
        ", but not those of the user namespace, because /proc/sys/user cannot be written: \(fault)"
      )
    }
    result.layers.append(layer)
    if layer.state == .missing { result.status = .partial }
    return result
  }

  /// Marks a layer as degraded, unless it is missing, and adds the reason to its detail.
  private mutating func degrade(_ layer: Layer, _ words: String) {
    guard let index = layers.firstIndex(where: { $0.name == layer.rawValue }) else { return }
    if layers[index].state == .enforced { layers[index].state = .degraded }
    note(layer, words)
  }

  /// Adds to what is said of a layer.
  private mutating func note(_ layer: Layer, _ words: String) {
    guard let index = layers.firstIndex(where: { $0.name == layer.rawValue }) else { return }
    layers[index].detail = (layers[index].detail ?? "") + words
  }
}
