// SPDX-License-Identifier: Apache-2.0

/// A text for the user with the key of its translation; Foundation for Linux lacks this type.
///
/// There are no translation tables here: the text is the key with its interpolations.
public struct LocalizedStringResource: Hashable, Sendable, Codable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The key, which is also the text.
  public let key: String

  /// Creates a text; the table and the comment for translators are ignored.
  public init(_ key: String, table: String? = nil, comment: StaticString? = nil) { self.key = key }

  /// Creates a text with a default value, which is the text because there are no translations.
  public init(_ key: StaticString, defaultValue: String, table: String? = nil, comment: StaticString? = nil) {
    self.key = defaultValue
  }

  /// Creates a text from a literal.
  public init(stringLiteral value: String) { key = value }

  /// The text.
  public var description: String { key }
}

extension String {
  /// Creates the text of a resource.
  public init(localized resource: LocalizedStringResource) { self = resource.key }
}

/// The description of an intent, for the user.
public struct IntentDescription: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible
{
  /// The text of the description.
  public let descriptionText: LocalizedStringResource
  /// The category in which the user finds the intent, or `nil` if there is none.
  public let categoryName: LocalizedStringResource?
  /// The keywords by which the user can find the intent.
  public let searchKeywords: [LocalizedStringResource]

  /// Creates a description.
  public init(
    _ descriptionText: LocalizedStringResource,
    categoryName: LocalizedStringResource? = nil,
    searchKeywords: [LocalizedStringResource] = []
  ) {
    self.descriptionText = descriptionText
    self.categoryName = categoryName
    self.searchKeywords = searchKeywords
  }

  /// Creates a description from a literal.
  public init(stringLiteral value: String) { self.init(LocalizedStringResource(value)) }

  /// The text.
  public var description: String { descriptionText.key }
}
