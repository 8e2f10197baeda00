# SPDX-License-Identifier: LGPL-2.1-or-later
# A data root that is mounted as two: no hardlink is possible, and the importer says so instead of copying.
# machine: vpn

given_down
edit 's|/srv/data:/data|/srv/data/torrents:/torrents|'
edit '/sonarr/,$ s|^ +- /srv/data.*|&\n      - /srv/data/movies:/movies|'
expect_match "the compiler warns before anything runs" 'hardlink-split' on unitproof check vpn
reload
start_target

eventually 60 "the hardlink proof failed" said 'hardlink of importer: failed'
expect_not "the importer's unit is not active" active vpn-importer.service
expect_match "the record names the cause" '/torrents.*/movies|EXDEV|[Cc]ross-device' \
        record hardlink importer reason
expect_match "and the remedy" '[Mm]ount' record hardlink importer remedy
expect_match "the status names it" 'hardlink +importer +failed' on unitproof status vpn
expect "the client is not concerned" active vpn-client.service
