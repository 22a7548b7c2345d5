// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

extension PHAssetCreationRequest {
  /// Whether the new asset is a favorite of the user, always `false`: the library has no favorites, so setting the property has no
  /// effect.
  public var isFavorite: Bool {
    get { false }
    set {}
  }
}
