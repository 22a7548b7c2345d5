// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// The memory of a plan as the child's C code reads it: allocated before the launch, freed after it.
final class PlanMemory {
  /// How much is taken from the system at a time.
  private static let blockSize = 16 << 10

  private var blocks: [UnsafeMutableRawPointer] = []
  /// What else the plan points to.
  private var kept: [LoadableFilters] = []
  private var laidOut: LaidOutItems?
  /// What is left of the last block.
  private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Memory that stays where it is as long as this object lives.
  private func allocate<Element>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
    // Everything begins where any of the plan's types may.
    let size = (count * MemoryLayout<Element>.stride + 15) & ~15
    if size > free.count {
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, Self.blockSize), alignment: 16)
      if let start = block.baseAddress { blocks.append(start) }
      free = block
    }
    guard let start = free.baseAddress else { preconditionFailure("a block has a beginning") }
    free = UnsafeMutableRawBufferPointer(rebasing: free[size...])
    return start.bindMemory(to: Element.self, capacity: count)
  }

  /// Keeps programs as long as this object lives.
  func keep(_ filters: LoadableFilters) { kept.append(filters) }

  /// Copies values that stay where they are as long as this object lives.
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

  /// Copies strings as one, with its terminating zero.
  private func copy(_ first: String, _ second: String, _ third: String) -> UnsafePointer<CChar> {
    let count = first.utf8.count + second.utf8.count + third.utf8.count
    let memory = allocate(CChar.self, count: count + 1)
    Self.write(third, Self.write(second, Self.write(first, memory))).pointee = 0
    return UnsafePointer(memory)
  }

  /// Writes a string, and gives the place behind it.
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

  /// Copies strings as a list that a null pointer ends.
  func copyList(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    let memory = allocate(UnsafePointer<CChar>?.self, count: texts.count + 1)
    for (index, text) in texts.enumerated() { memory[index] = copy(text) }
    memory[texts.count] = nil
    return UnsafePointer(memory)
  }

  /// The environment, and the place in it where the number of a process can be written: the value of one variable.
  func environment(
    _ variables: [LaunchPlan.EnvironmentVariable],
    numbered name: String?
  ) -> (list: UnsafePointer<UnsafePointer<CChar>?>, number: UnsafeMutablePointer<CChar>?) {
    // As many digits as a number of 32 bits can have, and a zero behind them.
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

  /// The items of a root as the child reads them.
  func copy(_ root: SessionRoot) -> UnsafePointer<darkroom_item>? {
    switch root {
    case .single(let items): return copy(copyEach(items))
    case .shared(let common, let own):
      let made = common.laidOut
      guard let start = made.start else { return nil }
      laidOut = made
      let memory = allocate(darkroom_item.self, count: common.items.count)
      memory.initialize(from: start, count: common.items.count)
      for own in own { memory[own.place] = copy(own.item) }
      return UnsafePointer(memory)
    }
  }

  /// Items as the child reads them, in which the layers are parts of the ground.
  func copyEach(_ items: [RootItem]) -> [darkroom_item] {
    var copies = items.map(copy)
    guard case .ground(let ground, _, let parts)? = items.first(where: \.isGround) else { return copies }
    for (index, item) in items.enumerated() {
      guard case .layer(let source, _, _) = item, parts.contains(where: source.hasBytes) else { continue }
      let path = source.utf8.dropFirst(ground == "/" ? 1 : ground.utf8.count + 1)
      copies[index].part = copy(path.isEmpty ? "." : String(decoding: path, as: UTF8.self))
    }
    return copies
  }

  /// An item of the root as the child reads it.
  func copy(_ item: RootItem) -> darkroom_item {
    var result = darkroom_item(
      kind: .directory,
      mode: 0,
      target: copy(item.place),
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
    case .given:
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
      lay(&result, .layer, over: source, attributes)
    case .ground(let source, let over, _):
      lay(&result, .ground, over: source, [.readOnly, .noSetUserID, .noDevices])
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

  private func lay(
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

  /// The layers of a directory, of which two are the least without one that could be written to: a list, with the mode 0,
  /// or where the kernel takes none so long (fsconfig(2)) the first of them, with another.
  private func layers(over source: String) -> (UnsafePointer<CChar>?, UInt32) {
    let list = "\(RootItem.emptyDirectory):\(Self.escaped(source))"
    return list.utf8.count < 256 ? (copy(list), 0) : (copy(RootItem.emptyDirectory), 1)
  }

  /// A path in a list of layers, in which a colon ends one. Byte by byte, as the kernel reads it: to people a colon with
  /// an accent is another character.
  private static func escaped(_ path: String) -> String {
    let bytes = path.utf8.flatMap { byte in
      byte == UInt8(ascii: ":") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
