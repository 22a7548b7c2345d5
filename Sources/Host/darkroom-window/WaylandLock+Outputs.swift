// SPDX-License-Identifier: Apache-2.0

// MARK: - Outputs that are added and removed, and their images

extension WaylandLock {
  /// Whether at least one output can show another image now.
  var isWanting: Bool {
    connection.writable == nil
      && faces.contains { $1.size != nil && $1.frame == nil && memories[$0].hasRoom }
  }

  /// Marks the images of all outputs as outdated.
  func change() { for index in faces.keys { faces[index]?.isStale = true } }

  /// Draws the outdated images for which a buffer is available.
  func show(_ draw: (WindowMemory.Canvas) -> Void) throws(WaylandFault) {
    for (index, face) in faces where face.isStale && face.frame == nil {
      guard connection.writable == nil, let size = face.size,
        let canvas = memories[index].canvas(size, connection)
      else { continue }
      draw(canvas)
      let frame = connection.make(.lockFrame(index))
      connection.send(WaylandRequest(face.surface, SurfaceRequest.attach).with(canvas.buffer).with(0, 0))
      connection.send(
        WaylandRequest(face.surface, SurfaceRequest.damage).with(0, 0, size.width, size.height)
      )
      connection.send(WaylandRequest(face.surface, SurfaceRequest.frame).with(frame))
      connection.send(WaylandRequest(face.surface, SurfaceRequest.commit))
      memories[index].note(canvas.slot, isShown: true)
      faces[index]?.isStale = false
      faces[index]?.frame = frame
    }
    try connection.flush()
  }

  /// Handles an event of the registry: an output was added or removed.
  func takeOutput(_ event: inout WaylandEvent) throws(WaylandFault) {
    let number = try event.uint()
    switch event.number {
    case RegistryEvent.global: if try event.text() == Self.output { add(number) }
    case RegistryEvent.globalRemove: remove(number)
    default: break
    }
  }

  /// Creates a surface for an output if memory for its images is available. Otherwise, the compositor shows a
  /// blank output.
  func add(_ number: UInt32) {
    guard let index = memories.indices.first(where: { faces[$0] == nil }) else { return }
    let output = globals.bind(number, Self.output, .silent)
    let surface = connection.make(.silent)
    connection.send(WaylandRequest(compositor, CompositorRequest.createSurface).with(surface))
    let lockSurface = connection.make(.lockSurface(index))
    connection.send(WaylandRequest(lock, LockRequest.getSurface).with(lockSurface, surface, output))
    faces[index] = Face(output: number, surface: surface, lockSurface: lockSurface)
  }

  /// Releases the surface and the memory of a removed output.
  private func remove(_ number: UInt32) {
    guard let (index, face) = faces.first(where: { $1.output == number }) else { return }
    // The role object must be destroyed before its surface.
    connection.send(WaylandRequest(face.lockSurface, LockSurfaceRequest.destroy))
    connection.send(WaylandRequest(face.surface, SurfaceRequest.destroy))
    for object in [face.lockSurface, face.surface, face.frame].compactMap(\.self) {
      connection.silence(object)
    }
    memories[index].clear(connection)
    faces[index] = nil
  }

  /// Handles the event of a surface with its new size.
  func configure(_ index: Int, _ event: inout WaylandEvent) throws(WaylandFault) {
    guard let face = faces[index] else { return }
    let serial = try event.uint()
    let most = WindowMemory.most
    let size = PictureSize(
      width: min(max(1, Int(try event.uint())), most.width),
      height: min(max(1, Int(try event.uint())), most.height)
    )
    connection.send(WaylandRequest(face.lockSurface, LockSurfaceRequest.acknowledge).with(serial))
    faces[index]?.size = size
    faces[index]?.isStale = true
  }
}
