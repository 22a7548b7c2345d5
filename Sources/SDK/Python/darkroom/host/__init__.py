# SPDX-License-Identifier: Apache-2.0
"""The interface of the server ``darkroom-host``."""
