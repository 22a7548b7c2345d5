// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

extension URL {
  /// Returns the URL of an item of a type in this directory.
  ///
  /// - Parameters:
  ///   - partialName: The name of the item. The extension of the type is added unless the name has an extension of the type.
  ///   - contentType: The type of the item.
  /// - Returns: The URL.
  public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
    appending(component: partialName).appendingPathExtension(for: contentType)
  }

  /// Returns the URL with the extension of a type, unless the URL has an extension of the type or the type has no extension.
  ///
  /// - Parameter contentType: The type of the item.
  /// - Returns: The URL.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    let current = UTType(filenameExtension: pathExtension)
    guard current?.conforms(to: contentType) != true, let name = contentType.preferredFilenameExtension else {
      return self
    }
    return appendingPathExtension(name)
  }
}
