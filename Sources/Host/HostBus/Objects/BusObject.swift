// SPDX-License-Identifier: Apache-2.0

/// An object of the service, which has a path.
enum BusObject: Hashable, Sendable {
  /// The object that installs apps and launches sessions.
  case manager
  /// An installed app, by its ID.
  case app(String)
  /// An extension of an installed app, by its ID.
  case captureExtension(app: String, String)
  /// A session, by its ID.
  case session(String)

  /// The path of the manager, below which all other objects are.
  static let root = "/org/darkroom/Host1"
  /// The path below which the apps are.
  static let apps = "\(root)/apps"
  /// The path below which the sessions are.
  static let sessions = "\(root)/sessions"

  /// The path of the object.
  var path: String {
    switch self {
    case .manager: Self.root
    case .app(let id): "\(Self.apps)/\(Self.encoded(id))"
    case .captureExtension(let app, let id): "\(Self.app(app).path)/extensions/\(Self.encoded(id))"
    // A session ID contains only hexadecimal digits and hyphens, which keeps its path readable.
    case .session(let id): "\(Self.sessions)/\(id.replacing("-", with: "_"))"
    }
  }

  /// The interface of the object, in addition to the standard interfaces.
  var interface: BusInterface {
    switch self {
    case .manager: .manager
    case .app: .app
    case .captureExtension: .captureExtension
    case .session: .session
    }
  }

  /// Creates the object with a path, or returns `nil` if no object can have this path. The object need not
  /// exist.
  init?(path: String) {
    if path == Self.root {
      self = .manager
      return
    }
    guard path.hasPrefix("\(Self.root)/") else { return nil }
    let parts = path.dropFirst(Self.root.count + 1).split(separator: "/").map(String.init)
    switch (parts.count, parts.first) {
    case (2, "apps"):
      guard let id = Self.decoded(parts[1]) else { return nil }
      self = .app(id)
    case (4, "apps") where parts[2] == "extensions":
      guard let app = Self.decoded(parts[1]), let id = Self.decoded(parts[3]) else { return nil }
      self = .captureExtension(app: app, id)
    case (2, "sessions"): self = .session(parts[1].replacing("_", with: "-"))
    default: return nil
    }
  }
}

// MARK: - Escaping

extension BusObject {
  /// Returns an ID as an element of a path, escaped as by sd_bus_path_encode(3).
  static func encoded(_ id: String) -> String {
    guard !id.isEmpty else { return "_" }
    return id.utf8.enumerated().map { index, byte in
      if isLetter(byte) || index > 0 && isDigit(byte) { return String(Character(Unicode.Scalar(byte))) }
      return "_" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Returns the ID that an element of a path encodes, or `nil` if ``encoded(_:)`` does not return the
  /// element.
  static func decoded(_ element: String) -> String? {
    if element == "_" { return "" }
    var bytes: [UInt8] = []
    var rest = Array(element.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "_") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let escaped = UInt8(digits, radix: 16) else { return nil }
      bytes.append(escaped)
      rest = rest.dropFirst(2)
    }
    guard let id = String(validating: bytes, as: UTF8.self), encoded(id) == element else { return nil }
    return id
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
