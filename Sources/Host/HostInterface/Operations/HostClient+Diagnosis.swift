// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// Examines the machine under the shipped policies and those of the parameters.
  func diagnose(_ parameters: OperationParameters) async throws(OperationError) -> OperationResult {
    var policies: [CapturePolicy] = []
    do throws(HostError) {
      for (index, text) in parameters.texts("policies").enumerated() {
        policies.append(try await policy(text, "policies[\(index)]"))
      }
    } catch { throw OperationError(error) }
    return OperationResult(try await operations.diagnose(with: policies).json)
  }
}
