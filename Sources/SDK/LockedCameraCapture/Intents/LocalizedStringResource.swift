// SPDX-License-Identifier: Apache-2.0

/// A text for people, by the key under which a translation would be found; Foundation for Linux lacks it.
///
/// There are no tables of translations here: the text is the key with its interpolations.
public struct LocalizedStringResource: Hashable, Sendable, Codable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The key, which is also the text.
  public let key: String

  /// Makes a text; the table in which a translation would be found, and the comment for translators, are not kept.
  public init(_ key: String, table: String? = nil, comment: StaticString? = nil) { self.key = key }

  /// Makes a text with one for people who read no translation: as there are none here, that is the text.
  public init(_ key: StaticString, defaultValue: String, table: String? = nil, comment: StaticString? = nil) {
    self.key = defaultValue
  }

  /// Makes a text.
  public init(stringLiteral value: String) { key = value }

  /// The text.
  public var description: String { key }
}

extension String {
  /// The text of a resource.
  public init(localized resource: LocalizedStringResource) { self = resource.key }
}

/// What an intent does, in words for people.
public struct IntentDescription: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible
{
  /// The description itself.
  public let descriptionText: LocalizedStringResource
  /// The group in which a person looks for the intent.
  public let categoryName: LocalizedStringResource?
  /// Words under which a person may look for it.
  public let searchKeywords: [LocalizedStringResource]

  /// Describes an intent.
  public init(
    _ descriptionText: LocalizedStringResource,
    categoryName: LocalizedStringResource? = nil,
    searchKeywords: [LocalizedStringResource] = []
  ) {
    self.descriptionText = descriptionText
    self.categoryName = categoryName
    self.searchKeywords = searchKeywords
  }

  /// Describes an intent.
  public init(stringLiteral value: String) { self.init(LocalizedStringResource(value)) }

  /// The text.
  public var description: String { descriptionText.key }
}
