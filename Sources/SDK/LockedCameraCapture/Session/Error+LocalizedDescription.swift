// SPDX-License-Identifier: Apache-2.0

extension Error {
  /// The text of the error, `"\(self)"`.
  ///
  /// Code for Apple's systems reads this property of every error. All of Foundation declares it, and
  /// FoundationEssentials, which this library imports, does not. In a file that imports all of Foundation,
  /// Foundation's property takes precedence. It returns the same text for the errors of this library, which
  /// conform to `LocalizedError`.
  @_disfavoredOverload
  public var localizedDescription: String { "\(self)" }
}
