package org.aspas.emulab.sim.world;

import java.util.Locale;

/** Which two tiers a message travels between (paper §4.2: one network for each). */
public enum Tiers {
    /** Between a client and an appserver. */
    CLIENTS_APPSERVERS,
    /** Between two appservers. */
    APPSERVERS,
    /** Between an appserver and a bftserver. */
    APPSERVERS_BFTSERVERS,
    /** Between two bftservers. */
    BFTSERVERS;

    /** As a world's file calls it. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
