// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import SandboxPolicy
internal import SessionStore

/// A control or a weakness of a published catalog.
struct CatalogEntry: Sendable, Hashable {
  /// The identifier, for example `SC-39` or `CWE-403`.
  var id: String
  /// The name that the catalog gives it.
  var name: String

  /// NIST SP 800-53, revision 5.
  static let accessEnforcement = CatalogEntry(id: "AC-3", name: "Access Enforcement")
  static let flowEnforcement = CatalogEntry(id: "AC-4", name: "Information Flow Enforcement")
  static let leastPrivilege = CatalogEntry(id: "AC-6", name: "Least Privilege")
  static let leastFunctionality = CatalogEntry(id: "CM-7", name: "Least Functionality")
  static let sharedResources = CatalogEntry(id: "SC-4", name: "Information in Shared System Resources")
  static let denialOfService = CatalogEntry(id: "SC-5", name: "Denial-of-service Protection")
  static let resourceAvailability = CatalogEntry(id: "SC-6", name: "Resource Availability")
  static let boundaryProtection = CatalogEntry(id: "SC-7", name: "Boundary Protection")
  static let processIsolation = CatalogEntry(id: "SC-39", name: "Process Isolation")

  /// Common Weakness Enumeration.
  static let unnecessaryPrivileges = CatalogEntry(
    id: "CWE-250",
    name: "Execution with Unnecessary Privileges"
  )
  static let descriptorLeak = CatalogEntry(
    id: "CWE-403",
    name: "Exposure of File Descriptor to Unintended Control Sphere ('File Descriptor Leak')"
  )
  static let improperIsolation = CatalogEntry(
    id: "CWE-653",
    name: "Improper Isolation or Compartmentalization"
  )
  static let wrongSphere = CatalogEntry(id: "CWE-668", name: "Exposure of Resource to Wrong Sphere")
  static let unlimitedAllocation = CatalogEntry(
    id: "CWE-770",
    name: "Allocation of Resources Without Limits or Throttling"
  )
}

extension Layer {
  /// The controls of NIST SP 800-53 (revision 5) that the layer contributes to.
  var controls: [CatalogEntry] {
    switch self {
    case .userNamespace, .capabilities, .noNewPrivileges: [.leastPrivilege]
    case .mountNamespace, .root, .landlock: [.accessEnforcement, .leastPrivilege]
    case .pidNamespace: [.processIsolation]
    case .networkNamespace: [.flowEnforcement, .boundaryProtection]
    case .ipcNamespace, .utsNamespace, .cgroupNamespace, .timeNamespace, .identity: [.sharedResources]
    case .seccomp: [.leastFunctionality, .leastPrivilege]
    case .limits, .controlGroup: [.denialOfService, .resourceAvailability]
    case .descriptors: [.flowEnforcement]
    }
  }

  /// The weaknesses of the CWE list that the layer works against.
  var weaknesses: [CatalogEntry] {
    switch self {
    case .userNamespace, .capabilities, .noNewPrivileges, .seccomp: [.unnecessaryPrivileges]
    case .pidNamespace, .mountNamespace, .root, .landlock, .networkNamespace: [.improperIsolation]
    case .ipcNamespace, .utsNamespace, .cgroupNamespace, .timeNamespace, .identity: [.wrongSphere]
    case .limits, .controlGroup: [.unlimitedAllocation]
    case .descriptors: [.descriptorLeak]
    }
  }
}

extension AuditEvidence {
  /// The section about the layers of the sandbox as controls of published catalogs.
  var controlSection: AuditSection {
    let states = Dictionary(policy.enforcement.layers.map { ($0.name, $0.state.rawValue) }) { first, _ in
      first
    }
    func state(_ layer: Layer) -> String { states[layer.rawValue] ?? "unknown" }
    func text(_ entries: [CatalogEntry]) -> String {
      entries.map { "\($0.id) \($0.name)" }.joined(separator: "; ")
    }
    func json(_ entries: [CatalogEntry]) -> JSONValue {
      .array(entries.map { ["id": .string($0.id), "name": .string($0.name)] })
    }
    let rows = Layer.allCases.map { layer in
      [
        AuditCell(layer.rawValue), AuditCell(state(layer)), AuditCell(text(layer.controls)),
        AuditCell(text(layer.weaknesses)),
      ]
    }
    return AuditSection(
      id: "controls",
      title: "Controls that the sandbox contributes to",
      blocks: [
        .text(
          "Each layer contributes to controls of NIST SP 800-53 (revision 5), and mitigates weaknesses of the CWE "
            + "list. No layer fulfills a control alone."
        ),
        .table(
          .init(
            caption: "Layers, controls and weaknesses",
            columns: ["Layer", "State", "NIST SP 800-53", "CWE"],
            rows: rows
          )
        ),
      ],
      data: .array(
        Layer.allCases.map { layer in
          [
            "layer": .string(layer.rawValue), "state": .string(state(layer)),
            "nist80053": json(layer.controls),
            "cwe": json(layer.weaknesses),
          ]
        }
      )
    )
  }
}
