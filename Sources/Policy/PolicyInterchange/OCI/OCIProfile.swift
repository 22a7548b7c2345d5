// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText

/// A seccomp profile in JSON.
///
/// Both forms are supported: `linux.seccomp` of the runtime specification of the Open Container Initiative,
/// and the form of Docker, Podman and containerd, which adds `archMap`, `includes` and `excludes`.
package struct OCIProfile: Sendable {
  /// The rules of the profile.
  package var profile: CallProfile
  /// The parts of the profile that were not translated or are ambiguous.
  package var losses: [InterchangeLoss]

  /// Parses a profile, and evaluates `includes` and `excludes` in a context.
  ///
  /// - Throws: ``InterchangeError`` if the profile is invalid.
  package init(bytes: [UInt8], context: OCIContext = .standard) throws(InterchangeError) {
    let root: JSONNode
    do { root = try JSONNode.parse(bytes) } catch {
      throw InterchangeError(error.position, .notJSON("\(error.reason)"))
    }
    var reader = OCIReader(bytes, context)
    profile = try reader.profile(root)
    let unknown = profile.unknownNames
    if !unknown.isEmpty { reader.losses.append(InterchangeLoss("", .unknownNames(unknown), .none)) }
    let unclear = profile.callsWithOverlappingActions
    if !unclear.isEmpty {
      reader.losses.append(InterchangeLoss("", .overlappingActions(unclear), .none))
    }
    losses = reader.losses
  }
}

extension CallProfile {
  /// The calls that have conditional rules with different actions, sorted. Such rules may match the same
  /// call.
  var callsWithOverlappingActions: [String] {
    var actions: [String: Set<Verdict>] = [:]
    var decided: Set<String> = []
    for rule in rules where rule.action != defaultAction {
      for call in rule.calls {
        if rule.conditions.isEmpty { decided.insert(call) }
        actions[call, default: []].insert(rule.action)
      }
    }
    return actions.filter { $0.value.count > 1 && !decided.contains($0.key) }.keys.sorted()
  }
}
