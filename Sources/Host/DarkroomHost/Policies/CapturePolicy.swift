// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import PolicyProof
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy

/// A policy: the files, calls and resources that an extension may use.
public struct CapturePolicy: Sendable {
  /// The names of the shipped policies.
  public static var shippedNames: [String] { PolicyFinder.shippedNames }

  /// The name of the policy.
  public let name: String
  /// The digest of the policy with all policies that it extends, `sha256:…`.
  public let digest: String
  let found: FoundPolicy
  var policy: ResolvedPolicy { found.policy }

  /// Loads a policy.
  ///
  /// - Parameter nameOrPath: The name of a shipped policy, or the path of a document, which contains a slash
  ///   or ends with `.json`.
  ///
  /// - Throws: ``HostError/policy(_:)``. The message has a line for each mistake, with line and column.
  public init(_ nameOrPath: String) throws(HostError) {
    do throws(PolicyFindingError) { self.init(try PolicyFinder.find(nameOrPath)) } catch {
      throw HostError(error)
    }
  }

  /// The policy with everything that it extends, as a JSON document.
  public var document: String { String(decoding: policy.flattened.bytes(.indented), as: UTF8.self) }

  /// Returns a description of the policy as lines of text: the abilities of an extension, the restrictions, the
  /// limits, and the entries that make the policy weaker than the default policy.
  ///
  /// - Parameters:
  ///   - width: The maximum number of characters in a line.
  ///   - withoutNamespaces: Whether the session has no namespaces.
  ///
  /// - Returns: The lines.
  public func explain(width: Int = 100, withoutNamespaces: Bool = false) -> [String] {
    let standard = try? PolicyFinder.standard(otherThan: policy)
    let mode: SessionMode =
      withoutNamespaces ? .restricted(signalsAreScoped: RestrictedMode.signalsAreScoped) : .namespaces
    return PolicyDescription(of: policy, comparedWith: standard, mode: mode).lines(width: width)
  }

  /// A verdict about one property of the compiled filter.
  public struct Verdict: Sendable, Hashable {
    /// The programs that the verdict is about: `compiled`, or `loaded` for those that a launch installs.
    public let programs: String
    /// The property.
    public let property: String
    /// Whether the property is proved for every architecture, call number and argument.
    public let isProved: Bool
    /// The counterexample, or the reason why there is no proof; `nil` if the property is proved.
    public let failure: String?
  }

  /// Compiles the policy, and proves that the filter has the effect of the policy and keeps every invariant.
  ///
  /// - Throws: ``HostError/policy(_:)`` if the policy cannot be compiled.
  public func verify() async throws(HostError) -> [Verdict] {
    let policy = policy
    return try await HostThread.run { () throws(HostError) in
      let compiled = try Self.compile(policy).bytes
      return try Self.verdicts("compiled", [compiled], policy, .silent)
        + Self.verdicts("loaded", InstalledFilters(compiled, .reported).programs, policy, .reported)
    }
  }

  /// Compares this policy with another one. The calls are compared by the effects of the compiled filters,
  /// for every architecture, call number and argument.
  ///
  /// - Throws: ``HostError/policy(_:)`` if a policy cannot be compiled or analyzed.
  public func difference(to other: CapturePolicy) async throws(HostError) -> PolicyComparison {
    let (old, new) = (policy, other.policy)
    return try await HostThread.run { () throws(HostError) in
      let (before, after) = (try Self.compile(old), try Self.compile(new))
      let calls: BehaviorComparison
      do throws(AnalysisError) {
        let space = CallSpace()
        calls = try BehaviorComparison(
          SupervisedBehavior(try space.behavior(of: before), under: .notificationsRefused),
          SupervisedBehavior(try space.behavior(of: after), under: .notificationsRefused)
        )
      } catch { throw HostError.policy(.init("the filters could not be compared: \(error)")) }
      return PolicyComparison(calls, old.sandboxDifferences(to: new))
    }
  }

  /// Returns whether this policy allows nothing that another policy does not allow.
  public func isSubset(of other: CapturePolicy) async throws(HostError) -> Bool {
    try await !other.difference(to: self).isWeaker
  }

  private static func compile(_ policy: ResolvedPolicy) throws(HostError) -> FilterProgram {
    do { return try FilterInspection.decoded(try SeccompCompiler.compile(policy).instructions) } catch {
      throw .policy(.init("the filter of the policy cannot be compiled: \(error)"))
    }
  }

  private static func verdicts(
    _ name: String,
    _ programs: [[UInt8]],
    _ policy: ResolvedPolicy,
    _ reports: LaunchPlan.RefusalReports
  ) throws(HostError) -> [Verdict] {
    do throws(FilterInspectionError) {
      return try FilterInspection.prove(programs, policy, reports).claims.map { Verdict(name, $0) }
    } catch { throw .policy(.init("\(error)")) }
  }
}

/// The differences between two policies, an old one and a new one.
public struct PolicyComparison: Sendable, Hashable {
  /// The effect of a difference.
  public enum Effect: String, Sendable, Hashable {
    /// The new policy allows more.
    case weaker
    /// The new policy allows less.
    case stricter
    /// Neither policy allows more.
    case changed
  }

  /// A difference.
  public struct Difference: Sendable, Hashable {
    /// The effect.
    public let effect: Effect
    /// The call, path, device, limit or layer.
    public let subject: String
    /// The conditions on the arguments of a call, of which one must hold; empty if there are none.
    public let conditions: [String]
    /// An example of a call, or `nil` for other differences.
    public let example: String?
    /// The value in the old policy.
    public let old: String
    /// The value in the new policy.
    public let new: String
  }

  /// The differences of the system calls. All other calls are proved to have the same result.
  public let calls: [Difference]
  /// The other differences: paths, devices, limits and layers.
  public let sandbox: [Difference]

  /// Whether the policies have the same effect.
  public var isEqual: Bool { calls.isEmpty && sandbox.isEmpty }
  /// Whether the new policy allows anything that the old one does not.
  public var isWeaker: Bool { (calls + sandbox).contains { $0.effect == .weaker } }
}
