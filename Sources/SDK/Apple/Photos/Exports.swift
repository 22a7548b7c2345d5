// SPDX-License-Identifier: Apache-2.0

// LockedCameraCapture declares the types of this module: the photo library.
@_exported public import LockedCameraCapture
