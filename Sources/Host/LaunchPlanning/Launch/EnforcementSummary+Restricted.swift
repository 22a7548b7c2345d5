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
      layer(
        .limits,
        "\(limits.resources.count) rlimits; the limit on processes counts all processes of the user"
      ),
      layer(.descriptors, "\(descriptors.count) passed, all others closed"), layer(.identity, groupsDetail),
      landlockLayer,
    ]
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
