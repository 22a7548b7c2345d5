// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The memory of the two pictures that this program and the compositor see, one of which can be drawn while the other is
/// shown.
///
/// It is made once, with room for the largest window: what was never drawn in takes no memory, and a window of another
/// size needs no descriptor, which nobody could send any more.
final class WindowMemory {
  /// The largest picture; a window that is larger is not filled.
  static let most = PictureSize(width: 7680, height: 4320)
  /// The bytes of the largest picture.
  private static let mostBytes = 4 * most.width * most.height

  /// One of the two pictures.
  private struct Slot {
    /// Its `wl_buffer`; nil: there is none.
    var buffer: UInt32?
    /// Its size.
    var size = PictureSize(width: 0, height: 0)
    /// Whether the compositor looks at it.
    var isShown = false
  }

  private let mapping: Mapping
  private let pool: UInt32
  private var slots = [Slot(), Slot()]
  /// The number of the first picture among those of all memories.
  private let first: Int

  private init(_ mapping: consuming Mapping, _ pool: UInt32, _ first: Int) {
    self.mapping = mapping
    self.pool = pool
    self.first = first
  }

  /// Makes it, and shares it with a compositor by its `wl_shm`. Its pictures have the numbers from `first` on.
  static func make(
    _ connection: WaylandConnection,
    _ memory: UInt32,
    first: Int = 0
  ) throws(WaylandFault) -> WindowMemory {
    let bytes = 2 * mostBytes
    let pool = connection.make(.silent)
    let request = WaylandRequest(memory, MemoryRequest.createPool).with(pool).with(bytes)
    let file = try file(bytes)
    try connection.send(request, with: file.rawValue)
    do throws(SystemCallError) {
      return WindowMemory(try Mapping(file, length: bytes, .readWrite), pool, first)
    } catch { throw .memory("\(error)") }
  }

  /// A file of memory that the compositor need not expect to get shorter.
  private static func file(_ bytes: Int) throws(WaylandFault) -> Descriptor {
    do throws(SystemCallError) {
      let file = try MemoryFile.makeWritable(name: "darkroom-window", size: bytes)
      try MemoryFile.seal(file, [.shrink, .grow, .seal])
      return file
    } catch { throw .memory("\(error)") }
  }

  /// A picture to draw in, and what shows it.
  struct Canvas {
    /// Its number.
    var slot: Int
    /// Its `wl_buffer`.
    var buffer: UInt32
    /// Four bytes a pixel, row after row.
    var bytes: UnsafeMutableRawBufferPointer
    /// How large it is.
    var size: PictureSize
  }

  /// Whether there is a picture that nobody looks at.
  var hasRoom: Bool { slots.contains { !$0.isShown } }

  /// A picture of this size that nobody looks at; nil: the compositor has not let go of any.
  func canvas(_ size: PictureSize, _ connection: WaylandConnection) -> Canvas? {
    guard let slot = slots.firstIndex(where: { !$0.isShown }) else { return nil }
    let start = slot * Self.mostBytes
    let bytes = UnsafeMutableRawBufferPointer(
      rebasing: mapping.bytes[start..<start + 4 * size.width * size.height]
    )
    if let buffer = slots[slot].buffer, slots[slot].size == size {
      return Canvas(slot: first + slot, buffer: buffer, bytes: bytes, size: size)
    }
    if let old = slots[slot].buffer {
      connection.send(WaylandRequest(old, MemoryRequest.destroyBuffer))
      connection.silence(old)
    }
    // Black, where the picture is not.
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    let buffer = connection.make(.buffer(first + slot))
    connection.send(
      WaylandRequest(pool, MemoryRequest.createBuffer).with(buffer)
        .with(start, size.width, size.height, 4 * size.width).with(MemoryRequest.formatXRGB)
    )
    slots[slot] = Slot(buffer: buffer, size: size)
    return Canvas(slot: first + slot, buffer: buffer, bytes: bytes, size: size)
  }

  /// Forgets both pictures, because what has shown them is gone.
  func clear(_ connection: WaylandConnection) {
    for buffer in slots.compactMap(\.buffer) {
      connection.send(WaylandRequest(buffer, MemoryRequest.destroyBuffer))
      connection.silence(buffer)
    }
    slots = [Slot(), Slot()]
  }

  /// The compositor looks at a picture from now on, or does not any more; one of another memory is none of this one.
  func note(_ slot: Int, isShown: Bool) {
    if slots.indices.contains(slot - first) { slots[slot - first].isShown = isShown }
  }
}
