// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// A frame ring mapped into this process, with a validated header.
struct MappedRing: ~Copyable {
  /// The size of the frames and the layout of their planes.
  let geometry: FrameRingGeometry
  /// The mapped memory.
  let mapping: Mapping

  private init(_ geometry: FrameRingGeometry, _ mapping: consuming Mapping) {
    self.geometry = geometry
    self.mapping = mapping
  }

  /// Maps the whole file of a ring and validates its header.
  static func map(
    _ frames: borrowing Descriptor,
    _ access: Mapping.Access
  ) throws(ExtensionFailure) -> MappedRing {
    let mapping: Mapping
    do throws(SystemCallError) {
      mapping = try Mapping(frames, length: Int(try frames.status().size), access)
    } catch {
      throw .system(error)
    }
    let geometry: FrameRingGeometry
    do throws(FrameRingLayoutError) {
      let bytes = UnsafeRawBufferPointer(mapping.bytes)
      geometry = try FrameRingGeometry(header: bytes, fileBytes: bytes.count)
    } catch {
      throw .invalidFrameRing(error)
    }
    return MappedRing(geometry, mapping)
  }
}
