// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// Which camera of PipeWire is meant: `pipewire`, `pipewire:NODE`, `pipewire:fd=N` or `pipewire:fd=N/NODE`. A value.
package struct PipeWireTarget: Hashable, Sendable {
  /// What the name of every such camera begins with.
  package static let prefix = "pipewire"
  /// What stands before the number of a descriptor.
  package static let descriptorPrefix = "fd="

  /// A connection that somebody else has opened for this process; nil: the user's own server.
  package var descriptor: Int32?
  /// A node's name, serial number or number; nil: the standard camera.
  package var node: String?

  /// Reads one; nil: this is another kind of camera. Throws ``CameraFault/specification`` if something is missing.
  package init?(_ text: String) throws(CameraFault) {
    guard Self.names(text) else { return nil }
    guard text != Self.prefix else { return }
    let rest = text.dropFirst(Self.prefix.count + 1)
    guard rest.hasPrefix(Self.descriptorPrefix) else {
      guard !rest.isEmpty else { throw .specification }
      node = String(rest)
      return
    }
    let parts = rest.dropFirst(Self.descriptorPrefix.count).split(
      separator: "/",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let number = Int32(parts[0]), number >= 0, parts.last != "" else { throw .specification }
    descriptor = number
    node = parts.count == 2 ? String(parts[1]) : nil
  }

  /// Whether a text names a camera of PipeWire. A file of such a name is written `./NAME`.
  package static func names(_ text: String) -> Bool { text == prefix || text.hasPrefix("\(prefix):") }
}
