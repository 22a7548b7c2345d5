// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyRules {
  /// Returns the rule for an error in a document.
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

  /// Returns the rule for a core area.
  private static func core(_ area: CoreArea) -> PolicyRule { PolicyRule.core[area] ?? .invalidDocument }
}

extension PolicyMistake {
  /// The name that the error is about; empty for the whole document.
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
