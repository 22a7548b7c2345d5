// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import CameraSource

/// A PipeWire node that provides video. A value.
struct PipeWireNode: Hashable {
  /// The media role of cameras, as opposed to screen captures.
  private static let cameraRole = "Camera"

  /// The object ID, which can be reused after the node is removed.
  var id: UInt32
  /// The object serial, which is never reused, or 0 if the server has none.
  var serial: UInt64
  /// The session priority: the node with the highest one is the default.
  var priority: Int
  /// The node name.
  var name: String
  /// The description for users, or empty.
  var description: String
  /// The media role, or empty.
  var role: String
  /// The object path, such as `v4l2:/dev/video0`.
  var objectPath: String

  /// Whether the node can be chosen as the default.
  private var isCamera: Bool { role.isEmpty || role == Self.cameraRole }

  /// Returns the node with a name, serial or ID, or `nil` if there is none. Without one, the result is the
  /// camera that the user configured as the default, or else the one with the highest session priority.
  static func find(_ wanted: String?, _ nodes: [PipeWireNode], standard: String?) -> PipeWireNode? {
    if let wanted {
      return nodes.first { $0.name == wanted } ?? nodes.first { $0.serial > 0 && "\($0.serial)" == wanted }
        ?? nodes.first { "\($0.id)" == wanted }
    }
    let cameras = nodes.filter(\.isCamera)
    return cameras.first { $0.name == standard }
      ?? cameras.max { ($0.priority, $1.id) < ($1.priority, $0.id) }
  }

  /// The device path of a Video4Linux device, or `nil` for other nodes.
  ///
  /// Any program of the user can create a node and set its properties. This process may be able to open files
  /// that the program cannot, and opening alone can have effects, such as starting a watchdog. The path is
  /// therefore returned only if it is exactly that of a video device.
  var kernelPath: String? {
    let prefix = "v4l2:\(CameraList.standardDirectory)/\(CameraList.prefix)"
    guard objectPath.utf8.starts(with: prefix.utf8) else { return nil }
    let number = objectPath.utf8.dropFirst(prefix.utf8.count)
    let isNumber =
      (1...4).contains(number.count) && number.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    return isNumber ? String(objectPath.dropFirst("v4l2:".count)) : nil
  }

  /// The identity for lists of devices.
  var identity: DeviceIdentity {
    DeviceIdentity(
      name: description.isEmpty ? Self.cameraRole : description,
      driver: PipeWireTarget.prefix,
      // A node of a program has no bus address.
      bus: objectPath.isEmpty ? name : objectPath,
      capabilities: [.capture, .streaming]
    )
  }
}

extension PipeWireNode {
  /// Creates a node from the C struct.
  init(_ node: darkroom_pipewire_node) {
    self.init(
      id: node.id,
      serial: node.serial,
      priority: Int(node.priority),
      name: V4L2Device.text(node.name),
      description: V4L2Device.text(node.description),
      role: V4L2Device.text(node.role),
      objectPath: V4L2Device.text(node.object)
    )
  }
}
