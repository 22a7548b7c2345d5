// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension RootItem {
  /// The item without what it says of the extension's user, who is another one in each session of root.
  var withoutOwner: RootItem {
    guard case .scratch(let target, let options, let flags) = self else { return self }
    let words = options.split(separator: ",").filter { !MountWords.nameOwner($0.utf8) }
    return .scratch(target, options: words.joined(separator: ","), flags)
  }

  /// Whether the kernel makes the same of both, whoever the extension is. `==` does not tell: to it, two spellings of one
  /// letter are equal that are two names of files.
  func isSameButForOwner(as other: RootItem) -> Bool {
    guard case .scratch(let target, let options, let flags) = self,
      case .scratch(let otherTarget, let otherOptions, let otherFlags) = other
    else { return isSame(as: other) }
    return flags == otherFlags && target.hasBytes(of: otherTarget)
      && MountWords.areSameButForOwner(options, otherOptions)
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
    case (.ground(let source, let over, let layers), .ground(let other, let otherOver, let others)):
      source.hasBytes(of: other) && over.hasBytes(of: otherOver) && layers.hasBytes(of: others)
    case (.processes(_, let options), .processes(_, let otherOptions)): options.hasBytes(of: otherOptions)
    default: false
    }
  }
}

/// The words of mount options, looked at where they lie: every launch compares some.
private struct MountWords: IteratorProtocol {
  private var rest: UnsafeBufferPointer<UInt8>.SubSequence?

  private init(_ text: UnsafeBufferPointer<UInt8>) { rest = text.isEmpty ? nil : text[...] }

  /// The next word that does not name an owner.
  mutating func next() -> UnsafeBufferPointer<UInt8>.SubSequence? {
    while let text = rest {
      let end = text.firstIndex(of: UInt8(ascii: ","))
      rest = end.map { text[($0 + 1)...] }
      let word = end.map { text[..<$0] } ?? text
      if !Self.nameOwner(word) { return word }
    }
    return nil
  }

  /// Whether a word says whose everything is.
  static func nameOwner(_ word: some Sequence<UInt8>) -> Bool {
    word.starts(with: "uid=".utf8) || word.starts(with: "gid=".utf8)
  }

  /// Whether two texts have the same words in the same order, but for those that name an owner.
  static func areSameButForOwner(_ one: String, _ other: String) -> Bool {
    var (one, other) = (one, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        var (words, others) = (MountWords(one), MountWords(other))
        while true {
          switch (words.next(), others.next()) {
          case (nil, nil): return true
          case (let word?, let otherWord?) where word.elementsEqual(otherWord): continue
          default: return false
          }
        }
      }
    }
  }
}
