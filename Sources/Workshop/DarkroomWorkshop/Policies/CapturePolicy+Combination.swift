// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import LaunchPlanning
internal import SandboxAudit
internal import SandboxPolicy

extension CapturePolicy {
  /// A way to combine policies.
  public enum Combination: String, Sendable, Hashable, CaseIterable {
    /// The calls, paths and devices that all policies allow, with the strictest limits.
    case intersection
    /// The calls, paths and devices that at least one policy allows, with the loosest limits.
    case union
  }

  /// Combines this policy with others, as `darkroom policy combine` does. The filter of the new policy is proved to allow
  /// exactly the calls of the combination; the calls that start a program follow from `execute`.
  ///
  /// - Parameters:
  ///   - others: The other policies.
  ///   - combination: The way to combine them.
  ///   - name: The name of the new policy.
  ///
  /// - Returns: The new policy, whose document extends no other one.
  ///
  /// - Throws: `HostError.policy` if no policy can express the combination, or a filter cannot be compiled or compared.
  public func combined(
    with others: [CapturePolicy],
    by combination: Combination,
    name: String = "combined"
  ) async throws(HostError) -> CapturePolicy {
    let policies = [resolved.policy] + others.map(\.resolved.policy)
    let operation: PolicyCombination =
      switch combination {
      case .intersection: .intersection
      case .union: .union
      }
    return try await HostThread.run { () throws(HostError) in
      do throws(CombinedPolicy.Failure) {
        return CapturePolicy(try CombinedPolicy(policies, by: operation, name: name).found)
      } catch { throw .policy(.init("\(error)")) }
    }
  }
}
