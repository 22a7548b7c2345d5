// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension SessionMachine {
  /// Numbers an event that the extension is told, and tells it. A press of a remote button sounds, unless the extension
  /// wants to see to that itself.
  mutating func tell(_ event: CaptureEvent, now: UInt64) -> [SessionAction] {
    eventCount += 1
    var event = event
    event.id = eventCount
    let told = SessionAction.send(.notification(.captureEvent(event)))
    guard event.source == .remote else { return [told] }
    remotePresses.note(event, mayPlay: isDefaultSoundDisabled, now: now)
    guard event.phase == .began, !isDefaultSoundDisabled else { return [told] }
    return [told, .playSound(SoundRequest(event: event.id, .standard(.cameraShutter)), nil)]
  }

  /// The extension wants a sound played.
  mutating func playSound(_ request: SoundRequest, _ id: RequestID, now: UInt64) -> [SessionAction] {
    guard remotePresses.attempt(for: request.event, now: now) else {
      return [.send(.reply(Reply(id: id, result: SoundResult(played: false))))]
    }
    return [.playSound(request, id)]
  }

  /// A sound is being played for the event of this number: there is no other for it.
  package mutating func soundPlayed(for event: Int) { remotePresses.spend(event) }
}
