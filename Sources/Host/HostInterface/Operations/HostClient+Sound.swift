// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// Performs an operation on the sound of a session of this client.
  func performOnSound(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    let session = try ownSession(parameters, "sound")
    if method == .soundNext {
      let last = UInt64(clamping: parameters.integer("after") ?? 0)
      guard let newest = await session.publishedSound(after: last) else {
        return OperationResult(["more": false])
      }
      return OperationResult(["more": true, "published": .integer(Int64(clamping: newest))])
    }
    do throws(HostError) {
      guard let memory = try await session.soundMemory() else { return OperationResult(["opened": false]) }
      return OperationResult(
        [
          "opened": true, "sampleRate": .integer(Int64(memory.sampleRate)),
          "channels": .integer(Int64(memory.channels)), "blockFrames": .integer(Int64(memory.blockFrames)),
          "bytes": .integer(Int64(memory.bytes)), "clockLead": .integer(memory.clockLead),
        ],
        descriptors: [memory.file]
      )
    } catch { throw OperationError(error) }
  }
}
