// SPDX-License-Identifier: Apache-2.0

/// The introspection data of a path.
enum Introspection {
  /// The document type of introspection data, as the D-Bus specification requires it.
  private static let documentType = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    """

  /// Returns the document for a path with interfaces and child nodes.
  static func document(_ interfaces: [BusInterface], children: [String]) -> String {
    let elements = interfaces.map { "  \($0.description.text)\n" }
    let nodes = children.map { "  <node name=\"\($0)\"/>\n" }
    return "\(documentType)\n<node>\n\(elements.joined())\(nodes.joined())</node>\n"
  }
}
