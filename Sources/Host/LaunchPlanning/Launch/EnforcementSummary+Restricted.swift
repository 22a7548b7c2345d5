// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

extension LaunchPlan {
  /// The layers of a session without namespaces: the enforced layers, and the consequence of each missing
  /// layer.
  var restrictedLayers: [SessionRecord.Layer] {
    func layer(_ layer: Layer, _ detail: String? = nil) -> SessionRecord.Layer {
      SessionRecord.Layer(name: layer.rawValue, state: .enforced, detail: detail)
    }
    let missing = RestrictedMode.missing.map { layer in
      SessionRecord.Layer(
        name: layer.rawValue,
        state: .missing,
        detail: RestrictedMode.meaning(of: layer, landlockABI: LandlockSupport.abi)
      )
    }
    return missing + [
      layer(.capabilities, "none; the bounding set is kept, which has no effect under no_new_privs"),
      layer(.noNewPrivileges),
      SessionRecord.Layer(
        name: Layer.seccomp.rawValue,
        state: seccompState,
        detail: "\(seccompDetail); allows fewer calls than the policy"
      ),
      limitsLayer,
      layer(.descriptors, "\(descriptors.count) passed, all others closed"), layer(.identity, groupsDetail),
      landlockLayer,
    ]
  }

  /// The layer of resource limits. The kernel does not apply the limit on processes to root of the initial user
  /// namespace (`copy_process` in kernel/fork.c).
  private var limitsLayer: SessionRecord.Layer {
    let detail = "\(limits.resources.count) rlimits; the limit on processes counts all processes of the user"
    guard CurrentProcess.effectiveUserID == 0 else {
      return SessionRecord.Layer(name: Layer.limits.rawValue, state: .enforced, detail: detail)
    }
    return SessionRecord.Layer(
      name: Layer.limits.rawValue,
      state: .degraded,
      detail: "\(detail), and the kernel does not apply it to root outside a user namespace"
    )
  }
}

extension SessionRecord.Enforcement {
  /// Returns a copy with the reason why the session runs without a user namespace.
  package func addingReason(_ failure: LaunchFailure) -> SessionRecord.Enforcement {
    var changed = self
    changed.layers = layers.map { layer in
      guard layer.name == Layer.userNamespace.rawValue else { return layer }
      var layer = layer
      layer.detail = failure.cause + (layer.detail.map { "; \($0)" } ?? "")
      return layer
    }
    return changed
  }
}
