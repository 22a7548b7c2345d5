// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import Glibc
import LinuxPrimitives

exit(DarkroomCommandLine.start(Array(CurrentProcess.arguments.dropFirst())))
