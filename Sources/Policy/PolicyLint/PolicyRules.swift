// SPDX-License-Identifier: Apache-2.0

/// The lint rules.
package enum PolicyRules {
  /// The descriptions of all rules, sorted by ID.
  package static let descriptions: [RuleDescription] = all.map(\.description)

  /// Returns the description of a rule, or `nil` if the ID is unknown.
  package static func description(of id: String) -> RuleDescription? { byID[id]?.description }

  /// The rules by ID.
  static let byID: [String: PolicyRule] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.description.id, $0) }
  )

  /// All rules, sorted by ID.
  static let all: [PolicyRule] =
    ([
      .invalidDocument, .unusedJustification, .broadJustification, .unknownJustifiedRule, .missingDescription,
      .unknownName, .unknownToLibrary, .unknownToKernel, .newerThanPolicy,
    ] + PolicyRule.coreRules + PolicyRule.foreignRules + [
      .writeAndExecuteMemory, .executableMemoryFile,
      .foreignMemory, .identityCalls,
      .driverRequest, .unnamedRequest, .widePrctl, .dangerousPrctl,
      .setIDFiles, .specialFiles, .links, .fileAttributes, .hiddenOpenFlags,
      .obsoleteCalls, .exploitedInterfaces, .privilegedGroup, .hostFacts, .socketPairs, .fileWatches,
      .ownFilters,
      .unreachableRule, .allowedAndDenied, .deniedWithoutGrant, .cannotStart, .emptyComparison,
      .missingRuntimeCall,
      .noSuchArgument, .pointerArgument, .halfCompared, .descriptorArgument,
      .forbiddenPath, .forbiddenDevice, .broadPath, .homeDirectory, .sensitivePath, .socketPath, .coveredPath,
      .missingPath, .socketBelowPath, .deviceBelowPath, .writableByOthers, .setIDProgram, .incompleteSurvey,
      .homeBelowPath, .secretBelowPath,
      .highLimit, .scratchBeyondMemory, .zeroLimit, .limitNeverReached, .looserThanParent, .repeatedSetting,
      .bestEffortLayer, .anyProgram, .contentAsWritten, .singleMechanism,
    ]).sorted { $0.description.id < $1.description.id }
}
