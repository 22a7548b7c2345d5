// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension RootItem {
  /// The item without what it says of the extension's user, who is another one in each session of root.
  var withoutOwner: RootItem {
    guard case .scratch(let target, let options, let flags) = self else { return self }
    let words = options.split(separator: ",").filter { !$0.hasPrefix("uid=") && !$0.hasPrefix("gid=") }
    return .scratch(target, options: words.joined(separator: ","), flags)
  }

  /// Whether the kernel makes the same of both, whoever the extension is. `==` does not tell: to it, two spellings of one
  /// letter are equal that are two names of files.
  func isSameButForOwner(as other: RootItem) -> Bool {
    guard case .scratch = self else { return isSame(as: other) }
    return withoutOwner.isSame(as: other.withoutOwner)
  }

  /// Whether the kernel makes the same of both.
  private func isSame(as other: RootItem) -> Bool {
    guard place.hasBytes(of: other.place) else { return false }
    return switch (self, other) {
    case (.directory(_, let mode), .directory(_, let otherMode)): mode == otherMode
    case (.ownDirectory, .ownDirectory), (.given, .given): true
    case (.file(_, let contents, let mode), .file(_, let otherContents, let otherMode)):
      mode == otherMode && contents == otherContents
    case (.symbolicLink(_, let path), .symbolicLink(_, let otherPath)): path.hasBytes(of: otherPath)
    case (.bind(let source, _, let attributes), .bind(let otherSource, _, let otherAttributes)),
      (.layer(let source, _, let attributes), .layer(let otherSource, _, let otherAttributes)):
      attributes == otherAttributes && source.hasBytes(of: otherSource)
    case (.scratch(_, let options, let flags), .scratch(_, let otherOptions, let otherFlags)):
      flags == otherFlags && options.hasBytes(of: otherOptions)
    case (.processes(_, let options), .processes(_, let otherOptions)): options.hasBytes(of: otherOptions)
    default: false
    }
  }
}
