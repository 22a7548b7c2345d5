// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// The memory of a plan for the C code of the child: allocated before the launch, freed after it.
final class PlanMemory {
  /// The size of a block that is allocated at a time.
  private static let blockSize = 16 << 10

  private var blocks: [UnsafeMutableRawPointer] = []
  /// The filters to which the plan points.
  private var kept: [LoadableFilters] = []
  private var encoded: EncodedItems?
  /// The unused rest of the last block.
  private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Allocates memory that stays valid as long as this object lives.
  private func allocate<Element>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
    // Every allocation has the alignment of all types of the plan.
    let size = (count * MemoryLayout<Element>.stride + 15) & ~15
    if size > free.count {
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, Self.blockSize), alignment: 16)
      if let start = block.baseAddress { blocks.append(start) }
      free = block
    }
    guard let start = free.baseAddress else { preconditionFailure("a block has a base address") }
    free = UnsafeMutableRawBufferPointer(rebasing: free[size...])
    return start.bindMemory(to: Element.self, capacity: count)
  }

  /// Keeps filters alive as long as this object lives.
  func keep(_ filters: LoadableFilters) { kept.append(filters) }

  /// Copies values into memory that stays valid as long as this object lives.
  func copy<Element>(_ values: [Element]) -> UnsafePointer<Element>? {
    guard !values.isEmpty else { return nil }
    let memory = allocate(Element.self, count: values.count)
    memory.initialize(from: values, count: values.count)
    return UnsafePointer(memory)
  }

  /// Copies a string with its terminating zero.
  func copy(_ text: String) -> UnsafePointer<CChar> {
    let memory = allocate(CChar.self, count: text.utf8.count + 1)
    Self.write(text, memory).pointee = 0
    return UnsafePointer(memory)
  }

  /// Concatenates strings, with a terminating zero.
  private func copy(_ first: String, _ second: String, _ third: String) -> UnsafePointer<CChar> {
    let count = first.utf8.count + second.utf8.count + third.utf8.count
    let memory = allocate(CChar.self, count: count + 1)
    Self.write(third, Self.write(second, Self.write(first, memory))).pointee = 0
    return UnsafePointer(memory)
  }

  /// Writes a string and returns the address after it.
  private static func write(
    _ text: String,
    _ place: UnsafeMutablePointer<CChar>
  ) -> UnsafeMutablePointer<CChar> {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        if let start = characters.baseAddress { place.initialize(from: start, count: characters.count) }
      }
      return place + bytes.count
    }
  }

  /// Copies strings into a list that ends with a null pointer.
  func copyList(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    let memory = allocate(UnsafePointer<CChar>?.self, count: texts.count + 1)
    for (index, text) in texts.enumerated() { memory[index] = copy(text) }
    memory[texts.count] = nil
    return UnsafePointer(memory)
  }

  /// Copies the environment. Returns the list, and the address of the value of one variable, where a process
  /// ID can be written.
  func environment(
    _ variables: [LaunchPlan.EnvironmentVariable],
    numbered name: String?
  ) -> (list: UnsafePointer<UnsafePointer<CChar>?>, number: UnsafeMutablePointer<CChar>?) {
    // The maximum number of digits of a 32-bit number, and a terminating zero.
    let room = "00000000000"
    let list = allocate(UnsafePointer<CChar>?.self, count: variables.count + 1)
    var number: UnsafeMutablePointer<CChar>?
    for (index, variable) in variables.enumerated() {
      let isNumber = number == nil && name != nil && variable.name == name
      let text = copy(variable.name, "=", isNumber ? room : variable.value)
      if isNumber { number = UnsafeMutablePointer(mutating: text) + variable.name.utf8.count + 1 }
      list[index] = text
    }
    list[variables.count] = nil
    return (UnsafePointer(list), number)
  }

  /// Copies the items of a root for the child.
  func copy(_ root: SessionRoot) -> UnsafePointer<darkroom_item>? {
    switch root {
    case .single(let items): return copy(copyEach(items))
    case .shared(let common, let own):
      let made = common.encoded
      guard let start = made.start else { return nil }
      encoded = made
      let memory = allocate(darkroom_item.self, count: common.items.count)
      memory.initialize(from: start, count: common.items.count)
      for own in own { memory[own.place] = copy(own.item) }
      return UnsafePointer(memory)
    }
  }

  /// Returns items for the child, with the layers that are parts of the layer base.
  func copyEach(_ items: [RootItem]) -> [darkroom_item] {
    var copies = items.map(copy)
    guard case .layerBase(let ground, _, let parts)? = items.first(where: \.isLayerBase) else {
      return copies
    }
    for (index, item) in items.enumerated() {
      guard case .layer(let source, _, _) = item, parts.contains(where: source.hasBytes) else { continue }
      let path = source.utf8.dropFirst(ground == "/" ? 1 : ground.utf8.count + 1)
      copies[index].part = copy(path.isEmpty ? "." : String(decoding: path, as: UTF8.self))
    }
    return copies
  }

  /// Returns an item of the root for the child.
  func copy(_ item: RootItem) -> darkroom_item {
    var result = darkroom_item(
      kind: .directory,
      mode: 0,
      target: copy(item.relativePath),
      source: nil,
      text: nil,
      text_length: 0,
      attributes: 0,
      part: nil
    )
    switch item {
    case .directory(_, let mode):
      result.mode = mode
    case .ownDirectory:
      result.kind = .ownedDirectory
      result.mode = 0o700
    case .ownerChange:
      result.kind = .given
    case .file(_, let contents, let mode):
      result.kind = .file
      result.mode = mode
      result.text = copy(contents).map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
      result.text_length = UInt64(contents.count)
    case .symbolicLink(_, let destination):
      result.kind = .symlink
      result.source = copy(destination)
    case .bind(let source, _, let attributes):
      result.kind = .bind
      result.source = copy(source)
      result.attributes = attributes.rawValue
    case .layer(let source, _, let attributes):
      setLayer(&result, .layer, over: source, attributes)
    case .layerBase(let source, let over, _):
      setLayer(&result, .ground, over: source, [.readOnly, .noSetUserID, .noDevices])
      result.target = copy(over)
    case .scratch(_, let scratch):
      result.kind = .tmpfs
      result.text = copy(scratch.options)
      result.attributes = scratch.flags.rawValue
    case .processes(_, let options):
      result.kind = .proc
      result.text = copy(options)
      let flags: RootItem.ScratchFlags = [.readOnly, .noSetUserID, .noDevices, .noExecution]
      result.attributes = flags.rawValue
    }
    return result
  }

  private func setLayer(
    _ item: inout darkroom_item,
    _ kind: RootItemKind,
    over source: String,
    _ attributes: RootItem.MountAttributes
  ) {
    item.kind = kind
    item.source = copy(source)
    (item.text, item.mode) = layers(over: source)
    item.attributes = attributes.rawValue
  }

  /// Returns the lower layers of an overlayfs of a directory. An overlayfs without a writable layer requires
  /// at least two: here the directory, and an empty directory. The first layer determines the mode and the
  /// owner of the mounted directory, so that a session cannot enter a directory that it cannot enter on the
  /// host.
  ///
  /// The result is a list, with the mode 0. If the kernel does not accept such a long list (fsconfig(2)), it
  /// is the last layer, with another mode.
  private func layers(over source: String) -> (UnsafePointer<CChar>?, UInt32) {
    let list = "\(Self.escaped(source)):\(RootItem.emptyDirectory)"
    return list.utf8.count < 256 ? (copy(list), 0) : (copy(RootItem.emptyDirectory), 1)
  }

  /// Returns a path for a list of layers, in which a colon is a separator. The path is escaped by bytes, as
  /// the kernel reads it: a colon with a combining accent is another `Character`.
  private static func escaped(_ path: String) -> String {
    let bytes = path.utf8.flatMap { byte in
      byte == UInt8(ascii: ":") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
