// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import Glibc

exit(DarkroomCommandLine.start(CommandLine.arguments))
