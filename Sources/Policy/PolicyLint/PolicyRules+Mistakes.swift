// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyRules {
  /// The rule that a mistake of a document belongs to.
  static func rule(for mistake: PolicyMistake) -> PolicyRule {
    switch mistake {
    case .coreCall(_, let area): core(area)
    case .coreArguments(_, let requirement): core(requirement.area)
    case .unknownCall, .unknownGroup, .unknownConstant: .unknownName
    case .path(_, .reserved): .forbiddenPath
    case .device: .forbiddenDevice
    case .coreGroup: .privilegedGroup
    default: .invalidDocument
    }
  }

  /// The rule of a part of the core.
  private static func core(_ area: CoreArea) -> PolicyRule { PolicyRule.core[area] ?? .invalidDocument }
}

extension PolicyMistake {
  /// What the mistake is about; empty if that is the document.
  var subject: String {
    switch self {
    case .coreCall(let name, _), .coreGroup(let name), .coreArguments(let name, _),
      .governedByExecute(let name),
      .unknownCall(let name, _), .unknownGroup(let name, _), .unknownConstant(let name, _), .device(let name),
      .path(let name, _), .unknownKey(let name, _, _), .missingKey(let name), .repeated(let name),
      .unknownParent(let name, _, _), .unknownLayer(let name, _), .conditionalGroup(let name):
      name
    default: ""
    }
  }
}
