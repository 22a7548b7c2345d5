// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

extension LockedCameraCaptureSession.ApplicationLaunchError: @retroactive LocalizedError,
  @retroactive CustomNSError
{}

/// Returns the texts that an app shows for an error.
func words(_ error: any Error) -> String {
  let reason = (error as? LocalizedError)?.failureReason ?? "no reason"
  return "\(error.localizedDescription) \(reason) \((error as NSError).code)"
}
