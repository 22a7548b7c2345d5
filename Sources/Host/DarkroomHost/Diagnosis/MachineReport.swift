// SPDX-License-Identifier: Apache-2.0

/// The sandbox layers that the machine supports, and the reasons and fixes for those that it does not.
public struct MachineReport: Sendable, Hashable {
  /// The degree to which sessions are possible.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// Every layer is enforced.
    case full
    /// Sessions run, but a layer is degraded or missing.
    case degraded
    /// No session runs.
    case unavailable
  }

  /// The worst status of all findings.
  public let status: Status
  /// The properties of the machine that affect all policies.
  public let properties: [Property]
  /// The policies.
  public let policies: [Policy]

  /// A property of the machine.
  public struct Property: Sendable, Hashable {
    /// The name of the property.
    public let name: String
    /// The state of the property.
    public let state: State
    /// The observation.
    public let detail: String
    /// The fixes, best first.
    public let fixes: [Fix]

    /// The state of a property.
    public enum State: String, Sendable, Hashable, CaseIterable {
      /// The property is as required.
      case present
      /// The property is as required, but there is advice about it.
      case advice
      /// Sessions fail because of the property.
      case missing
    }
  }

  /// A policy under which a program was run in a sandbox.
  public struct Policy: Sendable, Hashable {
    /// The name of the policy.
    public let name: String
    /// The degree to which sessions are possible under the policy.
    public let status: Status
    /// The layers of the sandbox.
    public let layers: [Layer]
    /// Notes that do not concern a layer.
    public let remarks: [String]
  }

  /// A layer of the sandbox of a policy.
  public struct Layer: Sendable, Hashable {
    /// The name of the layer.
    public let name: String
    /// The degree of the enforcement: `enforced`, `degraded`, `missing` or `learning`.
    public let state: String
    /// The observation, or the reason why the layer is not fully enforced.
    public let detail: String
    /// The fixes, best first.
    public let fixes: [Fix]
  }

  /// A fix for a finding.
  public struct Fix: Sendable, Hashable {
    /// The effect of the fix, including side effects.
    public let sentence: String
    /// The shell commands, in order.
    public let commands: [String]
    /// A file to be written before the commands are run, or `nil` if there is none.
    public let file: File?
  }

  /// A file that is a part of a fix.
  public struct File: Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// The content of the file.
    public let text: String
  }
}
