// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension RootItem {
  /// The item without the extension's user, which differs in each session of root.
  var withoutOwner: RootItem {
    guard case .scratch(let target, let scratch) = self else { return self }
    return .scratch(target, scratch.withoutOwner)
  }

  /// Returns whether the kernel creates equal items, ignoring the extension's user. `==` treats canonically
  /// equivalent spellings as equal, which are different file names.
  func isEqualIgnoringOwner(as other: RootItem) -> Bool {
    guard case .scratch(let target, let scratch) = self,
      case .scratch(let otherTarget, let otherScratch) = other
    else { return isSame(as: other) }
    return scratch.withoutOwner == otherScratch.withoutOwner && target.hasBytes(of: otherTarget)
  }

  /// Returns whether the kernel creates equal items.
  private func isSame(as other: RootItem) -> Bool {
    guard relativePath.hasBytes(of: other.relativePath) else { return false }
    return switch (self, other) {
    case (.directory(_, let mode), .directory(_, let otherMode)): mode == otherMode
    case (.ownDirectory, .ownDirectory), (.ownerChange, .ownerChange): true
    case (.file(_, let contents, let mode), .file(_, let otherContents, let otherMode)):
      mode == otherMode && contents == otherContents
    case (.symbolicLink(_, let path), .symbolicLink(_, let otherPath)): path.hasBytes(of: otherPath)
    case (.bind(let source, _, let attributes), .bind(let otherSource, _, let otherAttributes)),
      (.layer(let source, _, let attributes), .layer(let otherSource, _, let otherAttributes)):
      attributes == otherAttributes && source.hasBytes(of: otherSource)
    case (.scratch(_, let scratch), .scratch(_, let otherScratch)): scratch == otherScratch
    case (.layerBase(let source, let over, let layers), .layerBase(let other, let otherOver, let others)):
      source.hasBytes(of: other) && over.hasBytes(of: otherOver) && layers.hasBytes(of: others)
    case (.processes(_, let options), .processes(_, let otherOptions)): options.hasBytes(of: otherOptions)
    default: false
    }
  }
}
