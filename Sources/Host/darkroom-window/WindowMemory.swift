// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The memory of two images that are shared with the compositor: one can be drawn while the other is shown.
///
/// It is allocated once, with space for the largest window. Unused pages take no memory, and a window of
/// another size needs no new descriptor, which could no longer be sent.
final class WindowMemory {
  /// The maximum size of an image. A larger window is not filled.
  static let maximumSize = ImageSize(width: 7680, height: 4320)
  /// The size of the largest image, in bytes.
  private static let maximumBytes = 4 * maximumSize.width * maximumSize.height

  /// One of the two images.
  private struct Slot {
    /// The ID of its `wl_buffer`, or `nil` if there is none.
    var buffer: UInt32?
    /// The size of the image.
    var size = ImageSize(width: 0, height: 0)
    /// Whether the compositor uses the image.
    var isShown = false
  }

  private let mapping: Mapping
  private let pool: UInt32
  private var slots = [Slot(), Slot()]
  /// The index of the first image among those of all memories.
  private let first: Int

  private init(_ mapping: consuming Mapping, _ pool: UInt32, _ first: Int) {
    self.mapping = mapping
    self.pool = pool
    self.first = first
  }

  /// Allocates the memory and shares it with a compositor by its `wl_shm`. The indexes of its images start at
  /// `first`.
  static func make(
    _ connection: WaylandConnection,
    _ memory: UInt32,
    first: Int = 0
  ) throws(WaylandError) -> WindowMemory {
    let bytes = 2 * maximumBytes
    let pool = connection.make(.silent)
    let request = WaylandRequest(memory, MemoryRequest.createPool).with(pool).with(bytes)
    let file = try file(bytes)
    try connection.send(request, with: file.rawValue)
    do throws(SystemCallError) {
      return WindowMemory(try Mapping(file, length: bytes, .readWrite), pool, first)
    } catch { throw .memory("\(error)") }
  }

  /// Returns a memory file that is sealed against shrinking, so that the compositor can map it safely.
  private static func file(_ bytes: Int) throws(WaylandError) -> Descriptor {
    do throws(SystemCallError) {
      let file = try MemoryFile.makeWritable(name: "darkroom-window", size: bytes)
      try MemoryFile.seal(file, [.shrink, .grow, .seal])
      return file
    } catch { throw .memory("\(error)") }
  }

  /// An image to draw in, and its buffer.
  struct Canvas {
    /// The index of the image.
    var slot: Int
    /// The ID of its `wl_buffer`.
    var buffer: UInt32
    /// Four bytes per pixel, row by row.
    var bytes: UnsafeMutableRawBufferPointer
    /// The size of the image.
    var size: ImageSize
  }

  /// Whether an image is available for drawing.
  var hasRoom: Bool { slots.contains { !$0.isShown } }

  /// Returns an image of this size, or `nil` if the compositor uses both images.
  func canvas(_ size: ImageSize, _ connection: WaylandConnection) -> Canvas? {
    guard let slot = slots.firstIndex(where: { !$0.isShown }) else { return nil }
    let start = slot * Self.maximumBytes
    let bytes = UnsafeMutableRawBufferPointer(
      rebasing: mapping.bytes[start..<start + 4 * size.width * size.height]
    )
    if let buffer = slots[slot].buffer, slots[slot].size == size {
      return Canvas(slot: first + slot, buffer: buffer, bytes: bytes, size: size)
    }
    if let old = slots[slot].buffer {
      connection.send(WaylandRequest(old, MemoryRequest.destroyBuffer))
      connection.ignoreEvents(old)
    }
    // The area around the image is black.
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    let buffer = connection.make(.buffer(first + slot))
    connection.send(
      WaylandRequest(pool, MemoryRequest.createBuffer).with(buffer)
        .with(start, size.width, size.height, 4 * size.width).with(MemoryRequest.formatXRGB)
    )
    slots[slot] = Slot(buffer: buffer, size: size)
    return Canvas(slot: first + slot, buffer: buffer, bytes: bytes, size: size)
  }

  /// Deletes both images because their surface was removed.
  func clear(_ connection: WaylandConnection) {
    for buffer in slots.compactMap(\.buffer) {
      connection.send(WaylandRequest(buffer, MemoryRequest.destroyBuffer))
      connection.ignoreEvents(buffer)
    }
    slots = [Slot(), Slot()]
  }

  /// Records whether the compositor uses an image. Images of other memories are ignored.
  func note(_ slot: Int, isShown: Bool) {
    if slots.indices.contains(slot - first) { slots[slot - first].isShown = isShown }
  }
}
