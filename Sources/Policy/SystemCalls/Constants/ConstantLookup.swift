// SPDX-License-Identifier: Apache-2.0

/// A lookup of the constants that can be written for an argument.
enum ConstantLookup {
  /// Returns the value of a constant for a parameter, or `nil` if the parameter cannot have it.
  static func value(
    of name: String,
    for parameter: CallParameter?,
    on architecture: CallArchitecture
  ) -> UInt64? {
    parameterValue(name, parameter, architecture) ?? ConstantFamily.other?.value(of: name, on: architecture)
  }

  /// Returns the value of a constant among those of the parameter.
  private static func parameterValue(
    _ name: String,
    _ parameter: CallParameter?,
    _ architecture: CallArchitecture
  ) -> UInt64? {
    switch parameter?.kind {
    case .flags(let family), .choice(let family): return family.value(of: name, on: architecture)
    case .descriptor:
      return name == ArgumentText.currentDirectory.name ? ArgumentText.currentDirectory.value : nil
    case .path, .pointer: return name == ArgumentText.null ? 0 : nil
    case .mode: return ArgumentText.fileTypes?.value(of: name, on: architecture)
    case .size, .number, .process, nil:
      if name == ArgumentText.null { return 0 }
      return ConstantTable.value(of: name, on: architecture)
    }
  }

  /// Returns the names that are valid for a parameter, for suggestions.
  static func names(for parameter: CallParameter?, on architecture: CallArchitecture) -> [String] {
    switch parameter?.kind {
    case .descriptor: return [ArgumentText.currentDirectory.name]
    case .path, .pointer: return [ArgumentText.null]
    case .mode: return ArgumentText.fileTypes?.constants.map(\.name) ?? []
    case .flags(let family), .choice(let family):
      return family.constants.filter { $0.value(on: architecture) != nil }.map(\.name)
    case .size, .number, .process, nil:
      return ConstantFamily.all.flatMap(\.constants).map(\.name)
    }
  }
}
