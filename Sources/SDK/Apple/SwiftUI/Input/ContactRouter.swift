// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The delivery of contacts to the views in which they began.
@MainActor
final class ContactRouter {
  /// A contact with its last position in pixels.
  fileprivate struct Contact {
    let number: Int
    var pixel: Vector
  }

  /// One or two contacts, from the start of the first one.
  fileprivate struct Sequence {
    /// The areas in which the first contact began, top area first.
    var regions: [ContactRegion]
    var contacts: [Contact]
    /// The position of the first contact, or the center between two contacts, at the start in pixels.
    var start: Vector
    /// The start in nanoseconds.
    let time: UInt64
    /// The distance of two contacts at the start of the second one, or `nil` for one contact.
    var distance: Double?
  }

  /// The areas of the last layout, bottom area first.
  var regions: [ContactRegion] = []
  /// The contacts that are being followed; further contacts are ignored meanwhile.
  private var sequence: Sequence?

  /// Handles a change of a contact.
  ///
  /// - Parameters:
  ///   - phase: The phase of the contact.
  ///   - pixel: The position in pixels of the viewfinder.
  ///   - contact: The number of the contact.
  ///   - time: The time in nanoseconds.
  func handle(_ phase: ContactUpdate.Phase, at pixel: Vector, contact: Int, time: UInt64) {
    if phase == .began { begin(Contact(number: contact, pixel: pixel), at: time) }
    guard let index = sequence?.contacts.firstIndex(where: { $0.number == contact }) else { return }
    sequence?.contacts[index].pixel = pixel
    if phase == .moved || phase == .ended { takeOver(at: time) }
    guard let current = sequence else { return }
    if phase == .ended || phase == .cancelled { sequence = nil }
    deliver(phase, current, at: time)
  }

  /// Follows a contact if it is the first one, or the second one in a view that reacts to two.
  private func begin(_ contact: Contact, at time: UInt64) {
    guard var current = sequence else {
      let regions = regions(at: contact.pixel)
      guard !regions.isEmpty else { return }
      sequence = Sequence(regions: regions, contacts: [contact], start: contact.pixel, time: time)
      return
    }
    guard current.contacts.count == 1, current.regions.contains(where: \.recognizer.followsPinches) else {
      return
    }
    deliver(.cancelled, current, at: time)
    current.contacts.append(contact)
    current.start = current.center
    current.distance = max(1, current.spread)
    sequence = current
  }

  /// Passes a contact that has moved or ends to the innermost enclosing area that takes it over.
  private func takeOver(at time: UInt64) {
    guard var current = sequence, current.distance == nil,
      let region = current.regions.first?.enclosing.last(where: { region in
        region.recognizer.takesOver(current.update(.moved, at: time, in: region))
      })
    else { return }
    deliver(.cancelled, current, at: time)
    current.regions = [region]
    sequence = current
    deliver(.began, current, at: time)
  }

  /// Returns the topmost area at a position, and those below it to which the contact also belongs.
  private func regions(at pixel: Vector) -> [ContactRegion] {
    var result: [ContactRegion] = []
    for region in regions.reversed() where region.contains(pixel) {
      result.append(region)
      if !region.recognizer.isSimultaneous { break }
    }
    return result
  }

  private func deliver(_ phase: ContactUpdate.Phase, _ current: Sequence, at time: UInt64) {
    for region in current.regions {
      // A view that has left the tree receives nothing more.
      guard !region.node.isRemoved, current.distance == nil || region.recognizer.followsPinches else {
        continue
      }
      region.recognizer.handle(current.update(phase, at: time, in: region), in: region.node)
    }
  }
}

extension ContactRouter.Sequence {
  /// The center of the contacts in pixels.
  fileprivate var center: Vector {
    contacts.reduce(Vector(0, 0)) { $0 + $1.pixel } / Double(contacts.count)
  }

  /// The distance of the first and the last contact in pixels.
  fileprivate var spread: Double {
    guard let first = contacts.first, let last = contacts.last else { return 0 }
    let difference = last.pixel - first.pixel
    return (difference * difference).sum().squareRoot()
  }

  /// Returns a change of the contacts for an area.
  @MainActor
  fileprivate func update(_ phase: ContactUpdate.Phase, at time: UInt64, in region: ContactRegion)
    -> ContactUpdate
  {
    ContactUpdate(
      phase: phase,
      location: region.toContent.apply(center),
      start: region.toContent.apply(start),
      frame: region.frame,
      seconds: Double(time - min(time, self.time)) / 1_000_000_000,
      magnification: distance.map { spread / $0 }
    )
  }
}
