// SPDX-License-Identifier: Apache-2.0

// MARK: - Outputs that are added and removed, and their images

extension WaylandLock {
  /// Whether at least one output can show another image now.
  var canShowFrame: Bool {
    connection.writable == nil
      && outputSurfaces.contains { $1.size != nil && $1.frame == nil && memories[$0].hasRoom }
  }

  /// Marks the images of all outputs as outdated.
  func setNeedsDisplay() { for index in outputSurfaces.keys { outputSurfaces[index]?.needsDisplay = true } }

  /// Draws the outdated images for which a buffer is available.
  func show(_ draw: (WindowMemory.Canvas) -> Void) throws(WaylandError) {
    for (index, outputSurface) in outputSurfaces
    where outputSurface.needsDisplay && outputSurface.frame == nil {
      guard connection.writable == nil, let size = outputSurface.size,
        let canvas = memories[index].canvas(size, connection)
      else { continue }
      draw(canvas)
      let frame = connection.make(.lockFrame(index))
      connection.send(
        WaylandRequest(outputSurface.surface, SurfaceRequest.attach).with(canvas.buffer).with(0, 0)
      )
      connection.send(
        WaylandRequest(outputSurface.surface, SurfaceRequest.damage).with(0, 0, size.width, size.height)
      )
      connection.send(WaylandRequest(outputSurface.surface, SurfaceRequest.frame).with(frame))
      connection.send(WaylandRequest(outputSurface.surface, SurfaceRequest.commit))
      memories[index].note(canvas.slot, isShown: true)
      outputSurfaces[index]?.needsDisplay = false
      outputSurfaces[index]?.frame = frame
    }
    try connection.flush()
  }

  /// Handles an event of the registry: an output was added or removed.
  func takeOutput(_ event: inout WaylandEvent) throws(WaylandError) {
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
    guard let index = memories.indices.first(where: { outputSurfaces[$0] == nil }) else { return }
    let output = globals.bind(number, Self.output, .silent)
    let surface = connection.make(.silent)
    connection.send(WaylandRequest(compositor, CompositorRequest.createSurface).with(surface))
    let lockSurface = connection.make(.lockSurface(index))
    connection.send(WaylandRequest(lock, LockRequest.getSurface).with(lockSurface, surface, output))
    outputSurfaces[index] = OutputSurface(output: number, surface: surface, lockSurface: lockSurface)
  }

  /// Releases the surface and the memory of a removed output.
  private func remove(_ number: UInt32) {
    guard let (index, outputSurface) = outputSurfaces.first(where: { $1.output == number }) else { return }
    // The role object must be destroyed before its surface.
    connection.send(WaylandRequest(outputSurface.lockSurface, LockSurfaceRequest.destroy))
    connection.send(WaylandRequest(outputSurface.surface, SurfaceRequest.destroy))
    for object in [outputSurface.lockSurface, outputSurface.surface, outputSurface.frame].compactMap(\.self) {
      connection.ignoreEvents(object)
    }
    memories[index].clear(connection)
    outputSurfaces[index] = nil
  }

  /// Handles the event of a surface with its new size.
  func configure(_ index: Int, _ event: inout WaylandEvent) throws(WaylandError) {
    guard let outputSurface = outputSurfaces[index] else { return }
    let serial = try event.uint()
    let most = WindowMemory.maximumSize
    let size = ImageSize(
      width: min(max(1, Int(try event.uint())), most.width),
      height: min(max(1, Int(try event.uint())), most.height)
    )
    connection.send(WaylandRequest(outputSurface.lockSurface, LockSurfaceRequest.acknowledge).with(serial))
    outputSurfaces[index]?.size = size
    outputSurfaces[index]?.needsDisplay = true
  }
}
