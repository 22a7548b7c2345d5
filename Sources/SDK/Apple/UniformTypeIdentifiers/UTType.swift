// SPDX-License-Identifier: Apache-2.0

/// A type of file or data, by Apple's identifier.
///
/// The module knows the types of captures; another type has an identifier but no extension or MIME type.
public struct UTType: Hashable, Sendable, Codable {
  /// The identifier, such as `public.jpeg`.
  public let identifier: String

  /// Creates a type from an identifier, or returns `nil` if this module does not know the type.
  public init?(_ identifier: String) {
    guard KnownType.all.contains(where: { $0.identifier == identifier }) else { return nil }
    self.identifier = identifier
  }

  /// Creates the type of a file extension, or returns `nil` if this module does not know the extension.
  ///
  /// - Parameter filenameExtension: The extension without a dot; uppercase and lowercase are equal.
  public init?(filenameExtension: String) {
    let name = filenameExtension.lowercased()
    guard let type = KnownType.all.first(where: { $0.extensions.contains(name) }) else { return nil }
    identifier = type.identifier
  }

  /// Creates the type of a MIME type, or returns `nil` if this module does not know the MIME type.
  public init?(mimeType: String) {
    let name = mimeType.lowercased()
    guard let type = KnownType.all.first(where: { $0.mimeType == name }) else { return nil }
    identifier = type.identifier
  }

  /// Creates a type that the program declares.
  public init(exportedAs identifier: String) { self.identifier = identifier }

  /// The preferred file extension, or `nil` if there is none.
  public var preferredFilenameExtension: String? { known?.extensions.first }

  /// The preferred MIME type, or `nil` if there is none.
  public var preferredMIMEType: String? { known?.mimeType }

  /// Returns whether this type is equal to another type, or a kind of it.
  public func conforms(to type: UTType) -> Bool {
    if identifier == type.identifier { return true }
    return known?.parent.map { UTType(exportedAs: $0).conforms(to: type) } ?? false
  }

  private var known: KnownType? { KnownType.all.first { $0.identifier == identifier } }

  /// Any data.
  public static let data = UTType(exportedAs: "public.data")
  /// An image.
  public static let image = UTType(exportedAs: "public.image")
  /// A JPEG image.
  public static let jpeg = UTType(exportedAs: "public.jpeg")
  /// A PNG image.
  public static let png = UTType(exportedAs: "public.png")
  /// A HEIC image.
  public static let heic = UTType(exportedAs: "public.heic")
  /// A raw image of a sensor.
  public static let rawImage = UTType(exportedAs: "public.camera-raw-image")
  /// A DNG image.
  public static let dng = UTType(exportedAs: "com.adobe.raw-image")
  /// Video, with or without sound.
  public static let movie = UTType(exportedAs: "public.movie")
  /// A QuickTime movie.
  public static let quickTimeMovie = UTType(exportedAs: "com.apple.quicktime-movie")
  /// An MPEG-4 movie.
  public static let mpeg4Movie = UTType(exportedAs: "public.mpeg-4")
  /// Sound.
  public static let audio = UTType(exportedAs: "public.audio")
  /// Uncompressed sound in a WAVE file.
  public static let wav = UTType(exportedAs: "com.microsoft.waveform-audio")
  /// Text.
  public static let text = UTType(exportedAs: "public.text")
  /// JSON.
  public static let json = UTType(exportedAs: "public.json")
}

/// A type that this module knows.
private struct KnownType: Sendable {
  let identifier: String
  let parent: String?
  let extensions: [String]
  let mimeType: String?

  private init(
    _ identifier: String,
    _ parent: String?,
    _ extensions: [String] = [],
    _ mimeType: String? = nil
  ) {
    (self.identifier, self.parent, self.extensions, self.mimeType) = (
      identifier, parent, extensions, mimeType
    )
  }

  static let all: [KnownType] = [
    KnownType("public.data", nil),
    KnownType("public.image", "public.data"),
    KnownType("public.jpeg", "public.image", ["jpeg", "jpg"], "image/jpeg"),
    KnownType("public.png", "public.image", ["png"], "image/png"),
    KnownType("public.heic", "public.image", ["heic"], "image/heic"),
    KnownType("public.camera-raw-image", "public.image"),
    KnownType("com.adobe.raw-image", "public.camera-raw-image", ["dng"], "image/x-adobe-dng"),
    KnownType("public.movie", "public.data"),
    KnownType("com.apple.quicktime-movie", "public.movie", ["mov", "qt"], "video/quicktime"),
    KnownType("public.mpeg-4", "public.movie", ["mp4"], "video/mp4"),
    KnownType("public.audio", "public.data"),
    KnownType("com.microsoft.waveform-audio", "public.audio", ["wav"], "audio/vnd.wave"),
    KnownType("public.text", "public.data"),
    KnownType("public.json", "public.text", ["json"], "application/json"),
  ]
}
