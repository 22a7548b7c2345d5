// SPDX-License-Identifier: Apache-2.0

@testable import CommandGrammar
@testable import DarkroomCommands

/// The types of the floor Command that produce messages.
enum CommandMessages {
  static var types: [any MessageSamples.Type] {
    [
      UsageError.Reason.self, ValueFault.self, CommandSpecFault.Reason.self,
      ExitCode.self,
    ]
  }
}

extension UsageError.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [UsageError.self] }

  static var catalogSamples: [(String, Self)] {
    let commands = ["list", "show"]
    return [
      ("unknownCommand", .unknownCommand("lst", suggestions: ["list"], available: commands)),
      ("unknownCommand", .unknownCommand("frobnicate", suggestions: [], available: commands)),
      ("missingCommand", .missingCommand(available: commands)),
      ("unknownOption", .unknownOption("--jsn", suggestions: ["--json"], owners: [])),
      ("unknownOption", .unknownOption("--camera", suggestions: [], owners: ["run"])),
      ("unknownOption", .unknownOption("--frobnicate", suggestions: [], owners: [])),
      ("missingValue", .missingValue(option: "--root DIR", found: nil)),
      ("missingValue", .missingValue(option: "--root DIR", found: "--json")),
      ("unexpectedValue", .unexpectedValue(flag: "--json", value: "yes")),
      ("duplicateOption", .duplicateOption(option: "--root")),
      ("invalidValue", .invalidValue(of: "--timeout", value: "soon", .missingNumber(example: "10s"))),
      ("missingOption", .missingOption("--app ID")), ("missingArgument", .missingArgument("EXTENSION")),
      ("unexpectedArgument", .unexpectedArgument("extra", .none)),
      ("unexpectedArgument", .unexpectedArgument("extra", .afterSeparator)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknownCommand, .missingCommand, .unknownOption, .missingValue, .unexpectedValue, .duplicateOption,
      .invalidValue, .missingOption, .missingArgument, .unexpectedArgument:
      true
    }
  }

  var catalogText: String { UsageError(reason: self, command: "darkroom run", position: 2).description }
}

extension ValueFault: CaseSamples {
  static var catalogSamples: [(String, ValueFault)] {
    [
      ("notAChoice", .notAChoice(["cold", "warm"], suggestions: ["warm"])),
      ("notAChoice", .notAChoice(["cold", "warm"], suggestions: [])), ("notAnInteger", .notAnInteger(1...64)),
      ("missingNumber", .missingNumber(example: "10s")),
      ("missingUnit", .missingUnit(units: ["s", "m"], example: "10s")),
      ("unknownUnit", .unknownUnit("y", units: ["s", "m"])), ("tooPrecise", .tooPrecise(smallest: "1ms")),
      ("tooLarge", .tooLarge), ("notAnAssignment", .notAnAssignment), ("empty", .empty),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notAChoice, .notAnInteger, .missingNumber, .missingUnit, .unknownUnit, .tooPrecise, .tooLarge,
      .notAnAssignment, .empty:
      true
    }
  }
}

extension CommandSpecFault.Reason: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("duplicateOption", .duplicateOption("--json")), ("duplicateCommand", .duplicateCommand("list")),
      ("commandNameMismatch", .commandNameMismatch("list", table: "ls")),
      ("duplicateArgument", .duplicateArgument("APP")), ("duplicateExitCode", .duplicateExitCode("65")),
      ("argumentsAndSubcommands", .argumentsAndSubcommands),
      ("unreachableArgument", .unreachableArgument("APP")),
      ("invalidDefault", .invalidDefault(option: "--timeout")), ("undocumented", .undocumented("--json")),
      ("tooLong", .tooLong("--json", limit: 100)),
      ("notImperative", .notImperative("--json", firstWord: "Prints")), ("finalStop", .finalStop("--json")),
      ("ungroupedCommand", .ungroupedCommand("list")), ("regroupedCommand", .regroupedCommand("list")),
      ("unknownCommandInGroup", .unknownCommandInGroup("lst", topic: "apps")),
      ("ambiguousTopic", .ambiguousTopic("apps")), ("unknownDefault", .unknownDefault("lst")),
      ("invalidFormerName", .invalidFormerName(FormerName("log", now: "logs"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .duplicateOption, .duplicateCommand, .commandNameMismatch, .duplicateArgument, .duplicateExitCode,
      .argumentsAndSubcommands, .unreachableArgument, .invalidDefault, .undocumented, .tooLong,
      .notImperative, .finalStop, .ungroupedCommand, .regroupedCommand, .unknownCommandInGroup,
      .ambiguousTopic, .unknownDefault, .invalidFormerName:
      true
    }
  }

  var catalogText: String { CommandSpecFault(command: "darkroom run", reason: self).description }
}

extension ExitCode: CaseSamples {
  var catalogText: String { "\(rawValue): \(meaning)" }
}
