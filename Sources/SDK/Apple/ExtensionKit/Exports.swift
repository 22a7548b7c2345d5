// SPDX-License-Identifier: Apache-2.0

// LockedCameraCapture declares the types of this module: extensions and their scenes.
@_exported public import LockedCameraCapture
