// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import Refusals
internal import SandboxPolicy

/// The access of an extension to a path under a policy.
public struct PathAccess: Sendable, Hashable {
  /// A use of a path.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    /// Opening a file for reading, or listing a directory.
    case read
    /// Changing or creating a file.
    case write
    /// Executing a file.
    case execute
  }

  /// The path, in printable form.
  public let path: String
  /// The use.
  public let use: Use
  /// Whether the access succeeds if the permissions of the file permit it.
  public let isAllowed: Bool
  /// The name of the error that the extension receives, such as `ENOENT`, or `nil` if the access is allowed.
  public let errno: String?
  /// The layers that refuse the access, or the layers that allow it.
  public let layers: [String]
  /// The line of the policy that shows the path, or `nil` if there is none.
  public let policyLine: String?
  /// The result with its reason and its fix, without a final period.
  public let sentence: String

  /// Creates a description of an explanation.
  init(_ explanation: PathExplanation, _ use: Use) {
    (path, self.use, errno) = (explanation.path, use, explanation.errno)
    isAllowed = explanation.verdict == .allowed
    layers = explanation.layers.map(\.rawValue)
    policyLine = explanation.line?.description
    sentence = explanation.sentence
  }
}

extension DarkroomHost {
  /// Explains what an extension can access at a path. The answer is computed from the policy and the files of
  /// this machine; nothing is launched.
  ///
  /// - Parameters:
  ///   - path: The absolute path, as the extension sees it.
  ///   - use: The use of the path.
  ///   - policy: The policy of the extension.
  ///
  /// - Returns: The access, with the deciding layers and the fix.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the path is not absolute, or ``HostError/policy(_:)`` if the
  ///   sandbox of the policy cannot be planned on this machine.
  public func access(
    to path: String,
    for use: PathAccess.Use = .read,
    under policy: CapturePolicy
  ) async throws(HostError) -> PathAccess {
    guard path.hasPrefix("/") else {
      throw HostError(argument: "the path must be absolute; give a path as the extension sees it")
    }
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let explainer: PathExplainer
      do throws(PlanError) { explainer = try PathExplainer(policy.policy, root) } catch {
        throw .policy(.init("\(error)"))
      }
      return PathAccess(explainer.explain(path, FileAccess(use)), use)
    }
  }
}

extension FileAccess {
  /// Creates the access of a use.
  fileprivate init(_ use: PathAccess.Use) {
    switch use {
    case .read: self = .read
    case .write: self = .write
    case .execute: self = .execute
    }
  }
}
