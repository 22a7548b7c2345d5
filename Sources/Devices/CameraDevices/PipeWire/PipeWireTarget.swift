// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// The specification of a PipeWire camera: `pipewire`, `pipewire:NODE`, `pipewire:fd=N` or
/// `pipewire:fd=N/NODE`. A value.
package struct PipeWireTarget: Hashable, Sendable {
  /// The prefix of every such specification.
  package static let prefix = "pipewire"
  /// The prefix of a descriptor number.
  package static let descriptorPrefix = "fd="

  /// An inherited descriptor of an open connection, or `nil` for the user's own server.
  package var descriptor: Int32?
  /// The node's name, serial or ID, or `nil` for the default camera.
  package var node: String?

  /// Parses a specification, or returns `nil` if it is that of another kind of camera. Throws
  /// ``CameraFault/specification`` if a part is missing or invalid.
  package init?(_ text: String) throws(CameraFault) {
    guard Self.isPipeWireName(text) else { return nil }
    guard text != Self.prefix else { return }
    let rest = text.dropFirst(Self.prefix.count + 1)
    guard rest.hasPrefix(Self.descriptorPrefix) else {
      guard !rest.isEmpty else { throw .invalidSpecification }
      node = String(rest)
      return
    }
    let parts = rest.dropFirst(Self.descriptorPrefix.count).split(
      separator: "/",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let number = Int32(parts[0]), number >= 0, parts.last != "" else { throw .invalidSpecification }
    descriptor = number
    node = parts.count == 2 ? String(parts[1]) : nil
  }

  /// Whether a text specifies a PipeWire camera. A file with such a name is specified as `./NAME`.
  package static func isPipeWireName(_ text: String) -> Bool {
    text == prefix || text.hasPrefix("\(prefix):")
  }
}
