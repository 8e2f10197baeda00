/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/session.h"

/* What images keep in volumes of their own (VOLUME of a Dockerfile), where the stack mounts nothing: Podman
 * removes such a volume with its container, which a unit makes anew at each start, where Docker hands it on.
 * One warning each ("image-volume"), for the images that the running host has already. */
void image_volumes_check(Session *s, Compiled *c);
