// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import CameraSource

/// A node of PipeWire that gives video. A value.
struct PipeWireNode: Hashable {
  /// The role of those that are cameras, and no pictures of a screen.
  private static let cameraRole = "Camera"

  /// Its number, which may be used again when it is gone.
  var id: UInt32
  /// Its number that never is; 0: the server has none.
  var serial: UInt64
  /// Of several the one with the highest is the standard one.
  var priority: Int
  /// What programs call it.
  var name: String
  /// What people call it; empty: nobody has said.
  var description: String
  /// What it is; empty: nobody has said.
  var role: String
  /// What it is made of, such as `v4l2:/dev/video0`.
  var object: String

  /// Whether it can be taken where nobody says which.
  private var isCamera: Bool { role.isEmpty || role == Self.cameraRole }

  /// The node that is meant, by its name or one of its numbers; nil: there is none. Without a name it is the camera that the
  /// person has chosen, or the one that the session manager prefers.
  static func find(_ wanted: String?, _ nodes: [PipeWireNode], standard: String?) -> PipeWireNode? {
    if let wanted {
      return nodes.first { $0.name == wanted } ?? nodes.first { $0.serial > 0 && "\($0.serial)" == wanted }
        ?? nodes.first { "\($0.id)" == wanted }
    }
    let cameras = nodes.filter(\.isCamera)
    return cameras.first { $0.name == standard }
      ?? cameras.max { ($0.priority, $1.id) < ($1.priority, $0.id) }
  }

  /// Where the kernel has it, if it is a device of Video4Linux; nil: it is none.
  ///
  /// Any program of the person's can make a node and say of it what it likes, and this process may open what that program
  /// may not, where opening alone does something (a watchdog begins to count). So it is nothing but a video device's name.
  var kernelPath: String? {
    let prefix = "v4l2:\(CameraList.standardDirectory)/\(CameraList.prefix)"
    guard object.utf8.starts(with: prefix.utf8) else { return nil }
    let number = object.utf8.dropFirst(prefix.utf8.count)
    let isNumber =
      (1...4).contains(number.count) && number.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    return isNumber ? String(object.dropFirst("v4l2:".count)) : nil
  }

  /// What is said of it where devices are listed.
  var identity: DeviceIdentity {
    DeviceIdentity(
      name: description.isEmpty ? Self.cameraRole : description,
      driver: PipeWireTarget.prefix,
      // What is made by a program is plugged in nowhere.
      bus: object.isEmpty ? name : object,
      abilities: [.capture, .streaming]
    )
  }
}

extension PipeWireNode {
  /// Takes over what the library lists.
  init(_ node: darkroom_pipewire_node) {
    self.init(
      id: node.id,
      serial: node.serial,
      priority: Int(node.priority),
      name: V4L2Device.text(node.name),
      description: V4L2Device.text(node.description),
      role: V4L2Device.text(node.role),
      object: V4L2Device.text(node.object)
    )
  }
}
