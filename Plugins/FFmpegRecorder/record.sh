#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
exec ffmpeg -hide_banner -nostats -loglevel warning -nostdin -f yuv4mpegpipe -i pipe:0 -c:v ffv1 "$@" \
  "${DARKROOM_SESSION_DIR:?darkroom runs this script; try darkroom run org.darkroom.sample.ffmpegrecorder}/recording.mkv"
