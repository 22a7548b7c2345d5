// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// The memory of a plan as the child's C code reads it: allocated at once before the launch, freed after it.
final class PlanMemory {
  private var allocations: [UnsafeMutableRawPointer] = []

  deinit {
    for allocation in allocations { allocation.deallocate() }
  }

  /// Copies values that stay where they are as long as this object lives.
  func copy<Element>(_ values: [Element]) -> UnsafePointer<Element>? {
    guard !values.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: values.count)
    memory.initialize(from: values, count: values.count)
    allocations.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }

  /// Copies a string with its terminating zero.
  func copy(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { memory[index] = byte }
    allocations.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }

  /// Copies strings as a list that a null pointer ends.
  func copyList(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    let memory = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { memory[index] = copy(text) }
    memory[texts.count] = nil
    allocations.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }

  /// The environment, and the place in it where the number of a process can be written: the value of one variable.
  func environment(
    _ variables: [LaunchPlan.EnvironmentVariable],
    numbered name: String?
  ) -> (list: UnsafePointer<UnsafePointer<CChar>?>, number: UnsafeMutablePointer<CChar>?) {
    // As many digits as a number of 32 bits can have, and a zero behind them.
    let room = String(repeating: "0", count: 11)
    let list = copyList(variables.map { "\($0.name)=\($0.name == name ? room : $0.value)" })
    guard let name, let index = variables.firstIndex(where: { $0.name == name }), let text = list[index]
    else {
      return (list, nil)
    }
    return (list, UnsafeMutablePointer(mutating: text) + name.utf8.count + 1)
  }

  /// An item of the root as the child reads it.
  func copy(_ item: RootItem) -> darkroom_item {
    var result = darkroom_item(
      kind: .directory,
      mode: 0,
      target: copy(String(item.target.dropFirst())),
      source: nil,
      text: nil,
      text_length: 0,
      attributes: 0
    )
    switch item {
    case .directory(_, let mode):
      result.mode = mode
    case .ownDirectory:
      result.kind = .ownedDirectory
      result.mode = 0o700
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
      result.kind = .layer
      result.source = copy(source)
      // Two layers are the least without one that could be written to.
      result.text = copy("\(RootItem.emptyDirectory):\(Self.escaped(source))")
      result.attributes = attributes.rawValue
    case .scratch(_, let options, let flags):
      result.kind = .tmpfs
      result.text = copy(options)
      result.attributes = flags.rawValue
    case .processes(_, let options):
      result.kind = .proc
      result.text = copy(options)
      let flags: RootItem.ScratchFlags = [.readOnly, .noSetUserID, .noDevices, .noExecution]
      result.attributes = flags.rawValue
    }
    return result
  }

  /// A path in a list of layers, in which a colon ends one.
  private static func escaped(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if character == ":" || character == "\\" { text.append("\\") }
      text.append(character)
    }
  }
}
