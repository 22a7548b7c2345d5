// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Synchronization

// Unchecked, because the compiler does not check classes with subclasses: the only stored property is a mutex.
/// A rectangle of the interface with a background, a border and other layers in it; Core Animation's name.
///
/// A layer is visible while it is the layer of a view in the viewfinder, or in such a layer. It may be used on any
/// thread. Transforms, shadows, masks and animations are not available.
open class CALayer: @unchecked Sendable {
  private let state = Mutex(State())

  private struct State {
    var frame = CGRect.zero
    var boundsOrigin = CGPoint.zero
    var look = LayerLook()
    var sublayers: [CALayer] = []
    weak var superlayer: CALayer?
    weak var host: (any LayerHost)?
  }

  /// Creates an empty layer. A subclass that declares initializers also declares this one, because views create
  /// layers with it.
  public required init() {}

  // MARK: Geometry

  /// The rectangle in the coordinates of the enclosing layer, in points.
  public var frame: CGRect {
    get { read(\.frame) }
    set { write(\.frame, newValue) }
  }

  /// The rectangle in the coordinates of this layer: the size, and the point at the upper left corner.
  ///
  /// A change of the size keeps the center of the layer.
  public var bounds: CGRect {
    get { state.withLock { CGRect(origin: $0.boundsOrigin, size: $0.frame.size) } }
    set {
      write(\.boundsOrigin, newValue.origin)
      let (center, size) = (position, newValue.size)
      let corner = CGPoint(x: center.x - size.width / 2, y: center.y - size.height / 2)
      if size != frame.size { frame = CGRect(origin: corner, size: size) }
    }
  }

  /// The center in the coordinates of the enclosing layer.
  public var position: CGPoint {
    get { read { CGPoint(x: $0.frame.midX, y: $0.frame.midY) } }
    set { frame = frame.offsetBy(dx: newValue.x - position.x, dy: newValue.y - position.y) }
  }

  // MARK: Appearance

  /// The appearance, which is not inherited by other layers except for the opacity.
  package var look: LayerLook {
    get { read(\.look) }
    set { write(\.look, newValue) }
  }

  // MARK: Hierarchy

  /// The layers in this layer, bottom layer first, or `nil` if there are none.
  public var sublayers: [CALayer]? {
    get { read { $0.sublayers.isEmpty ? nil : $0.sublayers } }
    set {
      for layer in sublayers ?? [] { layer.removeFromSuperlayer() }
      for layer in newValue ?? [] { addSublayer(layer) }
    }
  }

  /// The enclosing layer, or `nil` if there is none.
  public var superlayer: CALayer? { read(\.superlayer) }

  /// Adds a layer above the other layers in this layer, and removes it from its former place.
  public func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: .max) }

  /// Adds a layer below the layer that has an index, and removes it from its former place.
  public func insertSublayer(_ layer: CALayer, at index: UInt32) {
    layer.removeFromSuperlayer()
    layer.state.withLock { $0.superlayer = self }
    state.withLock { $0.sublayers.insert(layer, at: min(Int(index), $0.sublayers.count)) }
    setNeedsDisplay()
  }

  /// Removes the layer from the enclosing layer.
  public func removeFromSuperlayer() {
    guard let superlayer else { return }
    state.withLock { $0.superlayer = nil }
    superlayer.state.withLock { state in state.sublayers.removeAll { $0 === self } }
    superlayer.setNeedsDisplay()
  }

  // MARK: Updates

  /// Arranges the layers in this layer; by default does nothing. Called in the main actor before the layer is drawn.
  open func layoutSublayers() {}

  /// Arranges the layers in this layer again before they are drawn.
  public func setNeedsLayout() { setNeedsDisplay() }

  /// Draws the layer again.
  public func setNeedsDisplay() {
    var layer = self
    while let superlayer = layer.superlayer { layer = superlayer }
    layer.read(\.host)?.layersChanged()
  }

  /// The owner of the outermost layer, which is not retained, or `nil` if the layer is not visible.
  package var host: (any LayerHost)? {
    get { read(\.host) }
    set { state.withLock { $0.host = newValue } }
  }

  private func read<Value>(_ value: (State) -> Value) -> Value { state.withLock { value($0) } }

  /// Sets a value, and draws the layer again if the value has changed.
  private func write<Value: Equatable>(_ path: WritableKeyPath<State, Value>, _ value: Value) {
    let isChanged = state.withLock { state in
      defer { state[keyPath: path] = value }
      return state[keyPath: path] != value
    }
    if isChanged { setNeedsDisplay() }
  }
}

/// The place in a viewfinder in which layers are drawn.
package protocol LayerHost: AnyObject, Sendable {
  /// Draws the layers again after the current event; may be called on any thread.
  func layersChanged()
}
