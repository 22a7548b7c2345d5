// SPDX-License-Identifier: Apache-2.0

/// The description of a D-Bus interface, as read from its XML document.
struct InterfaceDescription: Sendable {
  /// The name of the interface.
  let name: String
  /// The element of the interface as XML, for introspection.
  let text: String
  /// The methods by their names.
  let methods: [String: Method]
  /// The signatures of the signals by their names.
  let signals: [String: String]
  /// The properties by their names.
  let properties: [String: Property]

  /// The signatures of a method.
  struct Method: Sendable, Hashable {
    /// The signature of the arguments of a call.
    let input: String
    /// The signature of the arguments of the reply.
    let output: String
  }

  /// A property.
  struct Property: Sendable, Hashable {
    /// The signature of the value.
    let signature: String
    /// The access: `read` or `readwrite`.
    let access: Access

    /// The access that a client has to a property.
    enum Access: String, Sendable {
      /// The property cannot be written.
      case read
      /// The property can be written.
      case readWrite = "readwrite"
    }
  }
}

extension InterfaceDescription {
  /// Returns the interfaces of an introspection document, or `nil` if the document is malformed.
  static func read(_ document: [UInt8]) -> [InterfaceDescription]? {
    guard let root = XMLElement.root(of: document), root.name == "node" else { return nil }
    var interfaces: [InterfaceDescription] = []
    for element in root.children where element.name == "interface" {
      guard let interface = InterfaceDescription(element, document) else { return nil }
      interfaces.append(interface)
    }
    return interfaces
  }

  private init?(_ element: XMLElement, _ document: [UInt8]) {
    guard let name = element.attributes["name"] else { return nil }
    var (methods, signals): ([String: Method], [String: String]) = ([:], [:])
    var properties: [String: Property] = [:]
    for member in element.children {
      guard member.name != "annotation" else { continue }
      guard let name = member.attributes["name"] else { return nil }
      switch member.name {
      case "method":
        methods[name] = Method(
          input: Self.signature(of: member, "in"),
          output: Self.signature(of: member, "out")
        )
      case "signal": signals[name] = Self.signature(of: member, nil)
      case "property":
        guard let type = member.attributes["type"],
          let access = Property.Access(rawValue: member.attributes["access"] ?? "")
        else { return nil }
        properties[name] = Property(signature: type, access: access)
      default: return nil
      }
    }
    self.name = name
    text = String(decoding: document[element.range], as: UTF8.self)
    (self.methods, self.signals, self.properties) = (methods, signals, properties)
  }

  /// Returns the signature of a member's arguments with a direction.
  private static func signature(of member: XMLElement, _ direction: String?) -> String {
    member.children.filter { $0.name == "arg" && $0.attributes["direction"] == direction }
      .compactMap { $0.attributes["type"] }.joined()
  }
}
