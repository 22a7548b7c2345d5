// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension SessionMachine {
  /// Numbers a capture event and sends it. A press of a remote button plays a sound unless the extension
  /// plays its own.
  mutating func notify(_ event: CaptureEvent, now: UInt64) -> [SessionAction] {
    eventCount += 1
    var event = event
    event.id = eventCount
    let told = SessionAction.send(.notification(.captureEvent(event)))
    guard event.source == .remote else { return [told] }
    remotePresses.note(event, mayPlay: isDefaultSoundDisabled, now: now)
    guard event.phase == .began, !isDefaultSoundDisabled else { return [told] }
    return [told, .playSound(SoundRequest(event: event.id, .standard(.cameraShutter)), nil)]
  }

  /// Handles a request to play a sound.
  mutating func playSound(_ request: SoundRequest, _ id: RequestID, now: UInt64) -> [SessionAction] {
    guard remotePresses.attempt(for: request.event, now: now) else {
      return [.send(.reply(Reply(id: id, result: SoundResult(played: false))))]
    }
    return [.playSound(request, id)]
  }

  /// Records that a sound is played for the event with this number. No other sound is played for it.
  package mutating func soundPlayed(for event: Int) { remotePresses.markPlayed(event) }
}
